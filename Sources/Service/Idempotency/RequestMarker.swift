import Cryptography
import Identifiers
import Organizations

/// Makes what requests are recognised by.
///
/// HMAC-SHA-256 under a key that is derived from the erasure key, which lies outside the database: from the database
/// alone nobody can try callers, keys or bodies, and a body can be as guessable as one address.
struct RequestMarker: Sendable {
    private let key: SecretBytes

    init(erasureKey: SecretBytes) throws {
        key = try HKDF.derive(from: erasureKey, info: Array("ConsentLink request marks".utf8))
    }

    /// - Parameter path: the same for every spelling that leads to one route.
    ///
    /// Caller, path and key are told apart by zero bytes, which stand in none of them.
    func mark(of caller: Caller, path: String, key idempotencyKey: IdempotencyKey, body: [UInt8]) throws -> RequestMark
    {
        let hmac = try HMACSHA256(key: key)
        let who = Array("\(caller.name)\0\(path)\0".utf8) + idempotencyKey.bytes
        // Another first byte than any caller has, so that no body is another request's key.
        let what = [0] + body
        let (keyTag, bodyTag) = (hmac.tag(of: who.span), hmac.tag(of: what.span))
        return RequestMark(key: keyTag.indices.map { keyTag[$0] }, body: bodyTag.indices.map { bodyTag[$0] })
    }
}
