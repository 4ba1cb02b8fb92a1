import Cryptography
import Testing

@Suite struct SecureRandomTests {
    @Test("10,000 numbers are all different and set every bit about half of the time")
    func numbers() {
        var generator = SecureRandom()
        let numbers = (0..<10_000).map { _ in generator.next() }
        #expect(Set(numbers).count == numbers.count)
        for bit in 0..<64 {
            let set = numbers.count { $0 >> bit & 1 == 1 }
            // Ten standard deviations: a sound generator does not fail this in the life of the universe.
            #expect((4500...5500).contains(set))
        }
    }

    @Test("bytes come in the number asked for", arguments: [0, 1, 31, 4096])
    func bytes(_ count: Int) {
        var generator = SecureRandom()
        let bytes = generator.bytes(count)
        #expect(bytes.count == count)
        if count == 4096 { #expect(Set(bytes).count == 256) }
    }
}
