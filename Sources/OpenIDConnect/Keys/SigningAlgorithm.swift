/// A signature algorithm that is allowed for an ID token (RFC 7518, 3.1; RFC 8037, 3.1).
///
/// The list is closed: `none` and algorithms with a shared secret (HS256 and so on) cannot be expressed.
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.rawValue.hasSameBytes(as: name) }) else { return nil }
        self = found
    }
}
