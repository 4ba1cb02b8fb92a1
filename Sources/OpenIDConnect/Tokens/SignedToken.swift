import Cryptography
import JSON

/// A token in the compact serialization (RFC 7515, 7.1), parsed and not verified yet.
struct SignedToken: Sendable {
    static let maximumLength = 64 << 10
    private static let maximumKeyIdentifierLength = 256
    private static let limits = JSONLimits(depth: 16)

    let algorithm: SigningAlgorithm
    let keyIdentifier: String?
    /// The signed bytes: the first two parts, as they were written.
    let signed: [UInt8]
    let signature: [UInt8]
    private let payload: [UInt8]

    init(_ text: String) throws(SignInFailure) {
        guard text.utf8.count <= Self.maximumLength else { throw .token(.tooLong) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts.contains(where: \.isEmpty),
            let header = try? Base64URL.decode(parts[0]), let payload = try? Base64URL.decode(parts[1]),
            let signature = try? Base64URL.decode(parts[2])
        else { throw .token(.form) }
        (algorithm, keyIdentifier) = try Self.read(header)
        signed = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
        self.payload = payload
    }

    /// The claims of the token. Must be called only after the signature was verified.
    func claims() throws(SignInFailure) -> JSONObject {
        guard case .object(let claims)? = try? JSONValue.parse(payload, limits: Self.limits) else {
            throw .token(.claims)
        }
        return claims
    }

    /// Keys and addresses of keys in the header (`jwk`, `jku`, `x5c`, `x5u`) are ignored: the token must not choose the
    /// key that verifies it.
    private static func read(_ header: [UInt8]) throws(SignInFailure) -> (SigningAlgorithm, String?) {
        guard case .object(let members)? = try? JSONValue.parse(header, limits: limits),
            let name = members.text("alg")
        else { throw .token(.header) }
        guard members["crit"] == nil else { throw .token(.critical) }
        if let type = members["typ"] {
            guard case .string(let text) = type, text.lowercased().hasSameBytes(as: "jwt") else {
                throw .token(.header)
            }
        }
        guard let algorithm = SigningAlgorithm(name: name) else { throw .token(.algorithm) }
        switch members["kid"] {
        case nil: return (algorithm, nil)
        case .string(let identifier) where (1...maximumKeyIdentifierLength).contains(identifier.utf8.count):
            return (algorithm, identifier)
        default: throw .token(.header)
        }
    }
}

extension SignedToken: CustomStringConvertible, CustomReflectable {
    var description: String { "(token)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}
