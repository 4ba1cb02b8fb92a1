import Cryptography
import Testing

@Suite struct SHA256Tests {
    /// FIPS 180-4's examples, published by NIST with the standard.
    static let vectors: [(message: String, hash: String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrst"
                + "nopqrstu", "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ]

    @Test("the vectors of FIPS 180", arguments: vectors.indices)
    func vector(_ index: Int) {
        let vector = Self.vectors[index]
        let message = [UInt8](vector.message.utf8)
        #expect(Hexadecimal.encode(SHA256.hash(of: message)) == vector.hash)
    }

    @Test("pieces of any length hash as the whole does, with one value for many messages")
    func pieces() {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let expected = SHA256.hash(of: message)
        var hash = SHA256()
        for size in [1, 7, 63, 64, 65, 300] {
            for start in stride(from: 0, to: message.count, by: size) {
                hash.update(Array(message[start..<min(start + size, message.count)]))
            }
            let finished = hash.finish()
            #expect(finished == expected)
        }
        let empty = hash.finish()
        #expect(empty == SHA256.hash(of: []))
    }
}
