import Cryptography

/// A use of a key that is derived from a secret. The key of one use reveals nothing about that of another one, so no
/// two uses may have one text. A changed text ends all sessions and forms.
enum KeyUse: String {
    case sealedValue = "sealed"
    case formToken = "form"
    case sessionDigest = "session digest"
    case linkDigest = "link digest"
    case sessionSeal = "session seal"

    /// 32 bytes.
    func key(from secret: SecretBytes) throws(CryptographyError) -> SecretBytes {
        try HKDF.derive(from: secret, info: Array("consentlink console \(rawValue) v1".utf8))
    }
}
