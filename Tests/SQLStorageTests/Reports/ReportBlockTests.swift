import Consent
import TestSupport
import Testing

@testable import SQLStorage

@Suite struct ReportBlockTests {
    @Test("each recipient of a block has a reason of their own")
    func people() throws {
        var random = SeededGenerator(seed: 1)
        var block = PeopleBlock()
        var expected: [Int64: DecisionReason] = [:]
        for _ in 0..<5000 {
            let recipient = Int64.random(in: 7 * PeopleBlock.size..<8 * PeopleBlock.size, using: &random)
            let reason = Bool.random(using: &random) ? DecisionReason.allCases.randomElement(using: &random) : nil
            block[recipient] = reason
            expected[recipient] = reason
        }
        #expect(PeopleBlock.number(of: 7 * PeopleBlock.size) == 7)
        #expect(PeopleBlock.number(of: 8 * PeopleBlock.size - 1) == 7)
        for recipient in 7 * PeopleBlock.size..<8 * PeopleBlock.size {
            #expect(block[recipient] == expected[recipient])
        }
        #expect(block.counts == expected.values.reduce(into: [:]) { $0[$1, default: 0] += 1 })
        #expect(PeopleBlock(bytes: block.bytes) == block)
        #expect(PeopleBlock(bytes: [1]) == PeopleBlock(), "what is damaged is nobody's")
    }

    @Test("every reason fits into half a byte")
    func codes() {
        #expect(DecisionReason.allCases.allSatisfy { (1...15).contains($0.code) })
    }

    @Test("of two messages, tracked in one is tracked, else the later one counts")
    func union() {
        let values: [DecisionReason?] = [nil] + DecisionReason.allCases
        var (one, other) = (PeopleBlock(), PeopleBlock())
        for (place, value) in values.enumerated() {
            for (second, later) in values.enumerated() {
                one[Int64(place * 32 + second)] = value
                other[Int64(place * 32 + second)] = later
            }
        }
        var union = one
        union.formUnion(other)
        for (place, value) in values.enumerated() {
            for (second, later) in values.enumerated() {
                let expected = value?.outcome == .tracked ? value : later ?? value
                #expect(union[Int64(place * 32 + second)] == expected)
            }
        }
    }

    @Test("each recipient has a bit of their own")
    func responders() throws {
        var block = ResponderBlock()
        let chosen: Set<Int64> = [0, 1, 7, 8, 4095, 2048]
        for place in chosen { block[3 * ResponderBlock.size + place] = true }
        block[3 * ResponderBlock.size + 1] = false
        for place in 0..<ResponderBlock.size { #expect(block[place] == (place != 1 && chosen.contains(place))) }
        #expect(block.count == 5)
        var other = ResponderBlock()
        for place in [7, 9] as [Int64] { other[place] = true }
        var union = block
        union.formUnion(other)
        #expect(union.count == 6)
        union.subtract(other)
        #expect(union.count == 4 && !union[7] && union[8])
        #expect(ResponderBlock(bytes: block.bytes) == block)
        #expect(ResponderBlock(bytes: []) == ResponderBlock(), "what is damaged is nobody's")
    }
}
