import Cryptography
import Testing

@Suite struct SecretBytesTests {
    @Test("neither description nor dump shows a byte")
    func description() {
        let secret = SecretBytes([0xAB, 0xCD])
        var dumped = ""
        dump([secret], to: &dumped)
        #expect("\(secret)" == "(secret)")
        #expect(String(reflecting: secret) == "(secret)")
        #expect(!dumped.contains("171") && !dumped.contains("bytes") && !dumped.contains("0x"))
    }

    @Test("secrets are equal when their bytes are")
    func equality() {
        #expect(SecretBytes([1, 2, 3]) == SecretBytes([1, 2, 3]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2, 4]))
        #expect(SecretBytes([1, 2, 3]) != SecretBytes([1, 2]))
        #expect(SecretBytes([]) == SecretBytes([]))
    }

    @Test("random secrets differ and have the length asked for", arguments: [1, 16, 32, 33])
    func random(_ count: Int) {
        var generator = SecureRandom()
        let secrets = (0..<4).map { _ in SecretBytes(count: count, using: &generator) }
        #expect(secrets.allSatisfy { $0.count == count })
        if count >= 16 {
            for (index, one) in secrets.enumerated() {
                #expect(!secrets[(index + 1)...].contains(one))
            }
        }
    }

    @Test("the bytes can be had for storing")
    func bytes() {
        let copy = SecretBytes([1, 2, 3]).withSpan { span in span.indices.map { span[$0] } }
        #expect(copy == [1, 2, 3])
    }
}
