package import Cryptography
package import Identifiers
import Organizations

/// Makes what repeated requests are recognised by.
///
/// HMAC-SHA-256 under a key that is derived from the erasure key, which lies outside the database. Callers, keys and
/// bodies cannot be guessed from the database alone, and a body can be as guessable as one address.
package struct IdempotencyFingerprinter: Sendable {
    private let key: SecretBytes

    package init(erasureKey: SecretBytes) throws {
        key = try HKDF.derive(from: erasureKey, info: Array("ConsentLink request marks".utf8))
    }

    /// Zero bytes separate principal, path and key, none of which contains one.
    ///
    /// - Parameter path: the same for every spelling that leads to one route.
    package func fingerprint(
        of principal: Principal, path: String, key idempotencyKey: IdempotencyKey, body: [UInt8]
    ) throws -> IdempotencyFingerprint {
        let hmac = try HMACSHA256(key: key)
        let identity = Array("\(principal.name)\0\(path)\0".utf8) + idempotencyKey.bytes
        // The first byte is none that a principal's name begins with, so no body has the tag of another request's key.
        let content = [0] + body
        let (keyTag, bodyTag) = (hmac.tag(of: identity.span), hmac.tag(of: content.span))
        return IdempotencyFingerprint(key: keyTag.indices.map { keyTag[$0] }, body: bodyTag.indices.map { bodyTag[$0] })
    }
}
