import JWTKit

/// Whether a signature is valid, checked by JWTKit.
///
/// JWTKit's own `verify` of a token is not used: it parses the header leniently, uses another key if it does not know
/// the token's, and does not compare the token's algorithm with the key's. Here algorithm and key are chosen before.
struct SignatureCheck: Sendable {
    let algorithm: SigningAlgorithm
    let key: ProviderKey

    /// - Returns: `false` also for a key that JWTKit refuses, such as RSA of less than 2048 bits.
    func accepts(_ signature: [UInt8], of signed: [UInt8]) async -> Bool {
        guard key.suits(algorithm) else { return false }
        do {
            let verifier = try await verifier()
            guard verifier.name == algorithm.rawValue else { return false }
            return try verifier.verify(signature, signs: signed)
        } catch {
            return false
        }
    }

    private func verifier() async throws -> any JWTAlgorithm {
        let keys = JWTKeyCollection()
        switch key.material {
        case .rsa(let modulus, let exponent):
            let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            if isPSS {
                await keys.add(pss: key, digestAlgorithm: digest)
            } else {
                await keys.add(rsa: key, digestAlgorithm: digest)
            }
        case .ellipticCurve(.p256, let x, let y): await keys.add(ecdsa: try ES256PublicKey(parameters: (x, y)))
        case .ellipticCurve(.p384, let x, let y): await keys.add(ecdsa: try ES384PublicKey(parameters: (x, y)))
        case .ellipticCurve(.p521, let x, let y): await keys.add(ecdsa: try ES512PublicKey(parameters: (x, y)))
        case .edwards(let x): await keys.add(eddsa: try EdDSA.PublicKey(x: x, curve: .ed25519))
        case .unusable: break
        }
        return try await keys.getKey()
    }

    private var isPSS: Bool { [.ps256, .ps384, .ps512].contains(algorithm) }

    private var digest: DigestAlgorithm {
        switch algorithm {
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512: .sha512
        case .rs256, .ps256, .es256, .edDSA: .sha256
        }
    }
}
