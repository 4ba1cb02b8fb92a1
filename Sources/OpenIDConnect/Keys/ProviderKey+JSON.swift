import Cryptography
import JSON

extension ProviderKey {
    private static let maximumIdentifierLength = 256
    /// The modulus of an RSA key of 8192 bits, with one zero byte before it.
    private static let maximumModulusSize = 1025
    private static let maximumExponentSize = 8

    /// A key with an invalid member is unusable; it is kept, because a token may name it.
    ///
    /// - Returns: `nil` if the value is no key at all.
    init?(_ value: JSONValue) {
        guard case .object(let members) = value, let type = members.text("kty") else { return nil }
        let identifier = members.text("kid")
        let isNamed =
            members["kid"] == nil || (identifier?.utf8.count).map { $0 <= Self.maximumIdentifierLength } ?? false
        guard isNamed else { return nil }
        self.identifier = identifier
        let algorithm = members.text("alg")
        self.algorithm = algorithm
        isForSignatures =
            (members["alg"] == nil || algorithm != nil) && Self.allowsUse(members) && Self.allowsOperation(members)
        switch type {
        case "RSA": material = Self.rsa(members)
        case "EC": material = Self.ellipticCurve(members)
        case "OKP": material = Self.edwards(members)
        default: material = .unusable
        }
    }

    private static func allowsUse(_ members: JSONObject) -> Bool {
        members["use"] == nil || members["use"] == .string("sig")
    }

    private static func allowsOperation(_ members: JSONObject) -> Bool {
        guard let operations = members["key_ops"] else { return true }
        guard case .array(let names) = operations else { return false }
        return names.contains(.string("verify"))
    }

    private static func rsa(_ members: JSONObject) -> Material {
        guard let modulus = members.base64URL("n", length: 256...maximumModulusSize),
            let exponent = members.base64URL("e", length: 1...maximumExponentSize)
        else { return .unusable }
        return .rsa(modulus: modulus, exponent: exponent)
    }

    private static func ellipticCurve(_ members: JSONObject) -> Material {
        guard let name = members.text("crv"), let curve = Curve.allCases.first(where: { $0.rawValue == name }) else {
            return .unusable
        }
        let length =
            switch curve {
            case .p256: 32
            case .p384: 48
            case .p521: 66
            }
        guard let x = members.base64URL("x", length: length...length),
            let y = members.base64URL("y", length: length...length)
        else { return .unusable }
        return .ellipticCurve(curve, x: x, y: y)
    }

    private static func edwards(_ members: JSONObject) -> Material {
        guard members.text("crv") == "Ed25519", let x = members.base64URL("x", length: 32...32) else {
            return .unusable
        }
        return .edwards(x: x)
    }
}

extension JSONObject {
    /// The member, if it is canonical base64url of a number of bytes in `length`.
    fileprivate func base64URL(_ name: String, length: ClosedRange<Int>) -> String? {
        guard let text = text(name), text.utf8.count <= Base64URL.encodedLength(of: length.upperBound),
            let bytes = try? Base64URL.decode(text), length.contains(bytes.count)
        else { return nil }
        return text
    }
}
