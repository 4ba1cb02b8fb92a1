import Cryptography
import Identifiers

/// The two keys that are derived from one root secret for one kind of link, so that neither reveals anything of the
/// others.
struct ConsentRequestLinkKey: Sendable {
    /// For HMAC-SHA-256, 32 bytes.
    let signing: SecretBytes
    /// For AES-256, 32 bytes.
    let sealing: SecretBytes

    /// - Parameter secret: uniformly random, so HKDF needs no salt (RFC 5869, 3.1).
    init(derivedFrom secret: SecretBytes, for step: ConsentRequestStep) throws(CryptographyError) {
        let name =
            switch step {
            case .question: "question"
            case .confirmation: "confirmation"
            }
        signing = try HKDF.derive(from: secret, info: Array("consentlink consent-request v1 \(name) signing".utf8))
        sealing = try HKDF.derive(from: secret, info: Array("consentlink consent-request v1 \(name) sealing".utf8))
    }
}
