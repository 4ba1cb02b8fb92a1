/// One key of the provider's key set (RFC 7517, 4).
struct ProviderKey: Sendable {
    enum Curve: String, CaseIterable, Sendable {
        case p256 = "P-256"
        case p384 = "P-384"
        case p521 = "P-521"
    }

    /// The key itself, in canonical base64url.
    enum Material: Sendable {
        case rsa(modulus: String, exponent: String)
        case ellipticCurve(Curve, x: String, y: String)
        /// Ed25519.
        case edwards(x: String)
        /// It has a type, a curve or a length that no allowed algorithm uses, or an invalid member.
        case unusable
    }

    let identifier: String?
    let material: Material
    /// The provider's algorithm for the key; `nil` if it states none.
    let algorithm: String?
    /// Whether `use` and `key_ops` let the key verify signatures.
    let isForSignatures: Bool

    /// Whether the key may verify signatures of `algorithm`: its type, its curve, its `alg`, its `use` and its
    /// `key_ops` must all allow it.
    func suits(_ algorithm: SigningAlgorithm) -> Bool {
        guard isForSignatures else { return false }
        if let own = self.algorithm, !own.hasSameBytes(as: algorithm.rawValue) { return false }
        return switch (material, algorithm) {
        case (.rsa, .rs256), (.rsa, .rs384), (.rsa, .rs512), (.rsa, .ps256), (.rsa, .ps384), (.rsa, .ps512): true
        case (.ellipticCurve(.p256, _, _), .es256), (.ellipticCurve(.p384, _, _), .es384),
            (.ellipticCurve(.p521, _, _), .es512):
            true
        case (.edwards, .edDSA): true
        default: false
        }
    }
}
