import Consent
import Identifiers
import Interactions
import SQL
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

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

    @Test("nothing that is kept points at an erased person")
    func erased() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            try await fixture.ports.interactions.store([.click(1, message, reference)], at: .noon)
            func traces() throws -> [[UInt8]] {
                try fixture.storage.database.readNow { db in
                    try db.statement("SELECT states FROM message_people UNION ALL SELECT bits FROM message_responders")
                        .all { $0.bytes(0) }.filter { $0.contains { $0 != 0 } }
                }
            }
            #expect(try traces().count == 2)
            _ = try await fixture.ports.consents.erase(.ana, in: fixture.ports.acme)
            #expect(try traces().isEmpty)
        }
    }
}
