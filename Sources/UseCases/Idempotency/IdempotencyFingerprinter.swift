package import Cryptography
package import Identifiers

/// Makes the fingerprints by which repeated requests are recognised.
///
/// HMAC-SHA-256 under a key that is derived from the erasure key, which is not in the database. So callers, keys and
/// bodies cannot be guessed from a copy of the database; a body can be as easy to guess as an address.
package struct IdempotencyFingerprinter: Sendable {
    private let key: SecretBytes

    package init(erasureKey: SecretBytes) throws {
        key = try HKDF.derive(from: erasureKey, info: Array("ConsentLink request marks".utf8))
    }

    /// Zero bytes separate principal, path and key, none of which contains one.
    ///
    /// - Parameter path: must be the same for every spelling of a route.
    package func fingerprint(
        of principal: Principal, path: String, key idempotencyKey: IdempotencyKey, body: [UInt8]
    ) throws -> IdempotencyFingerprint {
        let hmac = try HMACSHA256(key: key)
        let identity = Array("\(principal.name)\0\(path)\0".utf8) + idempotencyKey.bytes
        // No principal's name begins with a zero byte, so no body has the tag of another request's key.
        let content = [0] + body
        let (keyTag, bodyTag) = (hmac.tag(of: identity.span), hmac.tag(of: content.span))
        return IdempotencyFingerprint(key: keyTag.indices.map { keyTag[$0] }, body: bodyTag.indices.map { bodyTag[$0] })
    }
}
