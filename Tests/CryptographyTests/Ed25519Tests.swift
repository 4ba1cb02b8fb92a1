import Cryptography
import Testing

@Suite("Ed25519")
struct Ed25519Tests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let seed: String
        let publicKey: String
        let message: String
        let signature: String
        var testDescription: String { name }
    }

    /// RFC 8032, 7.1.
    static let vectors = [
        Vector(
            name: "test 1: nothing",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b\
                d25bf5f0595bbe24655141438e7a100b
                """
        ),
        Vector(
            name: "test 2: one byte",
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c\
                387b2eaeb4302aeeb00d291612bb0c00
                """
        ),
        Vector(
            name: "test 3: two bytes",
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659\
                4a7c15e9716ed28dc027beceea1ec40a
                """
        ),
        Vector(
            name: "test SHA(abc)",
            seed: "833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42",
            publicKey: "ec172b93ad5e563bf4932c70e1245034c35467ef2efd4d64ebf819683467e2bf",
            message: """
                ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
                454d4423643ce80e2a9ac94fa54ca49f
                """,
            signature: """
                dc2a4459e7369633a52b1bf277839a00201009a3efbf3ecb69bea2186c26b58909351fc9ac90b3ecfdfbc7c66431e030\
                3dca179c138ac17ad9bef1177331a704
                """
        ),
    ]

    @Test("signs as RFC 8032 says", arguments: vectors)
    func signs(vector: Vector) throws {
        let key = try Ed25519PrivateKey(seed: SecretBytes(try hex(vector.seed)))
        let message = try hex(vector.message)
        #expect(key.publicKey.bytes.hexadecimal == vector.publicKey)
        #expect(Hexadecimal.encode(key.signature(of: message)) == vector.signature)
    }

    @Test("verifies what RFC 8032 signed, and no bit of it changed", arguments: vectors)
    func verifies(vector: Vector) throws {
        let (message, signature) = (try hex(vector.message), try hex(vector.signature))
        let bytes = try hex(vector.publicKey)
        let key = try #require(Ed25519PublicKey(bytes))
        #expect(key.verifies(signature, of: message))
        for bit in 0..<(signature.count * 8) {
            var changed = signature
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(changed, of: message), "bit \(bit) of the signature")
        }
        for bit in 0..<(message.count * 8) {
            var changed = message
            changed[bit / 8] ^= 1 << (bit % 8)
            #expect(!key.verifies(signature, of: changed), "bit \(bit) of the message")
        }
        for bit in 0..<(bytes.count * 8) {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            let other = try #require(Ed25519PublicKey(changed))
            #expect(!other.verifies(signature, of: message), "bit \(bit) of the key")
        }
    }

    /// RFC 8032, 5.1.7: what is added to S, in the second half, must not make another signature of it (8.4).
    @Test("has one signature for a message: S must be below the group's order")
    func malleability() throws {
        let vector = Self.vectors[1]
        let key = try #require(Ed25519PublicKey(try hex(vector.publicKey)))
        var signature = try hex(vector.signature)
        let order = try hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var carry = 0
        for index in 0..<32 {
            let sum = Int(signature[32 + index]) + Int(order[index]) + carry
            signature[32 + index] = UInt8(truncatingIfNeeded: sum)
            carry = sum >> 8
        }
        #expect(!key.verifies(signature, of: try hex(vector.message)))
    }

    @Test("no signature is cut or extended", arguments: [0, 1, 32, 63, 65, 128])
    func lengths(count: Int) throws {
        let vector = Self.vectors[0]
        let key = try #require(Ed25519PublicKey(try hex(vector.publicKey)))
        let signature = try Array((hex(vector.signature) + [UInt8](repeating: 0, count: 64)).prefix(count))
        #expect(!key.verifies(signature, of: [UInt8]()))
    }

    @Test("a key is 32 bytes", arguments: [0, 31, 33, 64])
    func keyLength(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(Ed25519PublicKey(bytes) == nil)
        #expect(throws: CryptographyError.keyLength(expected: 32)) { try Ed25519PrivateKey(seed: SecretBytes(bytes)) }
    }

    @Test("bytes that are no point of the curve verify nothing")
    func noPoint() throws {
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes[0] = 2
        let key = try #require(Ed25519PublicKey(bytes))
        #expect(!key.verifies([UInt8](repeating: 0, count: 64), of: [UInt8]()))
    }

    @Test("two random keys are two, and one does not verify what the other signed")
    func random() throws {
        var generator = SecureRandom()
        let one = try Ed25519PrivateKey(seed: SecretBytes(count: 32, using: &generator))
        let other = try Ed25519PrivateKey(seed: SecretBytes(count: 32, using: &generator))
        let message = Array("hello".utf8)
        let signature = one.signature(of: message)
        #expect(one.publicKey.verifies(signature, of: message))
        #expect(!other.publicKey.verifies(signature, of: message))
    }
}

/// The macros of Swift Testing take no spans.
extension Ed25519PublicKey {
    fileprivate init?(_ bytes: [UInt8]) { self.init(bytes.span) }

    fileprivate func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        verifies(signature.span, of: message.span)
    }
}
