package import Cryptography

/// The two keys that are derived from one root secret, so that neither reveals anything of the other.
package struct TrackingKey: Sendable {
    private static let signingInfo = [UInt8]("consentlink tracking-id v1 signing".utf8)
    private static let sealingInfo = [UInt8]("consentlink tracking-id v1 sealing".utf8)

    /// For HMAC-SHA-256, 32 bytes.
    package let signing: SecretBytes
    /// For AES-256, 32 bytes.
    package let sealing: SecretBytes

    /// - Parameter secret: uniformly random, so HKDF needs no salt (RFC 5869, 3.1).
    package init(derivedFrom secret: SecretBytes) throws(CryptographyError) {
        signing = try HKDF.derive(from: secret, info: Self.signingInfo)
        sealing = try HKDF.derive(from: secret, info: Self.sealingInfo)
    }
}
