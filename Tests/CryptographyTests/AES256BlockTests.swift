import Cryptography
import Testing

@Suite struct AES256BlockTests {
    struct Vector: Sendable {
        let key: String
        let plain: String
        let sealed: String

        init(_ plain: String, _ sealed: String, key: String) {
            self.key = key
            self.plain = plain
            self.sealed = sealed
        }
    }

    private static let fips = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
    private static let sp800 = "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"

    /// FIPS 197, C.3, then NIST SP 800-38A, F.1.5.
    static let vectors = [
        Vector("00112233445566778899aabbccddeeff", "8ea2b7ca516745bfeafc49904b496089", key: fips),
        Vector("6bc1bee22e409f96e93d7e117393172a", "f3eed1bdb5d2a03c064b5a7e3db181f8", key: sp800),
        Vector("ae2d8a571e03ac9c9eb76fac45af8e51", "591ccb10d410ed26dc5ba74a31362870", key: sp800),
        Vector("30c81c46a35ce411e5fbc1191a0a52ef", "b6ed21b99ca6f4f9f153e7b1beafed1d", key: sp800),
        Vector("f69f2445df4f9b17ad2b417be66c3710", "23304b7a39f9f3ff067d8d8f9e24ecc7", key: sp800),
    ]

    @Test("the vectors of FIPS 197 and SP 800-38A", arguments: vectors)
    func vector(_ vector: Vector) throws {
        let aes = try AES256Block(key: SecretBytes(hex(vector.key)))
        let plain = try block(vector.plain)
        // A context serves many blocks: what came before must not show.
        for _ in 0..<3 {
            let sealed = aes.encrypt(plain)
            #expect(sealed.hexadecimal == vector.sealed)
            #expect(aes.decrypt(sealed).hexadecimal == vector.plain)
        }
    }

    @Test("a key that is not 32 bytes is refused", arguments: [0, 16, 24, 31, 33])
    func keyLength(_ length: Int) {
        #expect(throws: CryptographyError.keyLength(expected: 32)) {
            _ = try AES256Block(key: SecretBytes([UInt8](repeating: 0, count: length)))
        }
    }

    private func block(_ text: String) throws -> AES256Block.Block {
        let bytes = try hex(text)
        return AES256Block.Block { bytes[$0] }
    }
}
