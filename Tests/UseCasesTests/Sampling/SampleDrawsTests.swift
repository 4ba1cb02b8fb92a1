import Testing

@testable import UseCases

@Suite struct SampleDrawsTests {
    @Test("draws are those that a spreadsheet or three lines of Python give")
    func vector() {
        // [int.from_bytes(hashlib.sha256(f"dice 4711:{n}".encode()).digest()[:8]) % 1000 + 500 for n in range(6)]
        var draws = SampleDraws(seed: "dice 4711", from: 500..<1500)
        #expect((0..<6).map { _ in draws.next() } == [1309, 740, 1149, 758, 872, 542])
        #expect(draws.count == 6)
    }

    @Test("every leaf is drawn once, and then there is none left")
    func exhausted() {
        var draws = SampleDraws(seed: "s", from: 10..<30)
        var drawn: [UInt64] = []
        while !draws.isExhausted { if let leaf = draws.next() { drawn.append(leaf) } }
        #expect(drawn.sorted() == Array(10..<30))
        #expect(draws.count >= 20)
    }

    @Test("another seed draws other leaves")
    func seeds() {
        func first(_ seed: String) -> [UInt64?] {
            var draws = SampleDraws(seed: seed, from: 0..<1_000_000)
            return (0..<10).map { _ in draws.next() }
        }
        #expect(first("a") == first("a"))
        #expect(Set(first("a")).isDisjoint(with: first("b")))
    }
}
