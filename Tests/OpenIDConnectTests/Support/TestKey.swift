import Cryptography
import JWTKit

@testable import OpenIDConnect

/// A key pair that a provider signs with, made by JWTKit.
struct TestKey: Sendable {
    let kid: String?
    let algorithm: SigningAlgorithm
    /// The public key's members, as JSON texts.
    var members: [String: String]
    let signer: any JWTAlgorithm

    var jwk: String { Sample.json(members) }

    static func make(_ algorithm: SigningAlgorithm = .es256, kid: String? = "k1") async throws -> TestKey {
        let keys = JWTKeyCollection()
        var members: [String: String] = ["use": "\"sig\"", "alg": "\"\(algorithm.rawValue)\""]
        if let kid { members["kid"] = "\"\(kid)\"" }
        switch algorithm {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            members.merge(try await addRSA(algorithm, to: keys)) { $1 }
        case .es256:
            let key = ES256PrivateKey()
            await keys.add(ecdsa: key)
            members.merge(point("P-256", key.parameters)) { $1 }
        case .es384:
            let key = ES384PrivateKey()
            await keys.add(ecdsa: key)
            members.merge(point("P-384", key.parameters)) { $1 }
        case .es512:
            let key = ES512PrivateKey()
            await keys.add(ecdsa: key)
            members.merge(point("P-521", key.parameters)) { $1 }
        case .edDSA:
            let key = try EdDSA.PrivateKey(curve: .ed25519)
            await keys.add(eddsa: key)
            let x = Base64URL.encode([UInt8](key.publicKey.rawRepresentation))
            members.merge(["kty": "\"OKP\"", "crv": "\"Ed25519\"", "x": "\"\(x)\""]) { $1 }
        }
        return TestKey(kid: kid, algorithm: algorithm, members: members, signer: try await keys.getKey())
    }

    private static func addRSA(
        _ algorithm: SigningAlgorithm, to keys: JWTKeyCollection
    ) async throws -> [String: String] {
        let key = try Insecure.RSA.PrivateKey(pem: RSATestKey.pem)
        let digest: DigestAlgorithm =
            switch algorithm {
            case .rs384, .ps384: .sha384
            case .rs512, .ps512: .sha512
            default: .sha256
            }
        if [.ps256, .ps384, .ps512].contains(algorithm) {
            await keys.add(pss: key, digestAlgorithm: digest)
        } else {
            await keys.add(rsa: key, digestAlgorithm: digest)
        }
        let (modulus, exponent) = try key.publicKey.getKeyPrimitives()
        return [
            "kty": "\"RSA\"", "n": "\"\(Base64URL.encode([UInt8](modulus)))\"",
            "e": "\"\(Base64URL.encode([UInt8](exponent)))\"",
        ]
    }

    /// JWTKit writes coordinates in plain Base64.
    private static func point(_ curve: String, _ parameters: ECDSAParameters?) -> [String: String] {
        func urlSafe(_ text: String?) -> String { Base64URL.encode((try? Base64.decode(text ?? "")) ?? []) }
        return [
            "kty": "\"EC\"", "crv": "\"\(curve)\"", "x": "\"\(urlSafe(parameters?.x))\"",
            "y": "\"\(urlSafe(parameters?.y))\"",
        ]
    }
}
