import Consent
import Identifiers
import TestSupport
import Testing

@testable import Ledger

@Suite("The consent records of a ledger")
struct ConsentTimelineTests {
    /// The timeline inserts and searches; the rule that it must agree with goes through all records.
    @Test("have in force what the rule says, in whatever order they were entered", arguments: 0..<40)
    func inForce(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let recipients = try (0..<3).map { try RecipientID("person-\($0)@example.com") }
        let purposes = try [Purpose.tracking, Purpose("offers")]
        var timeline = ConsentTimeline()
        var entered: [(RecipientID, Purpose, ConsentInForce)] = []
        for position in 1...60 {
            // Few instants and few ids, so that many records differ in one thing alone.
            let record = ConsentInForce(
                record: ConsentRecordID(try number(position / 2 + 1)),
                state: try #require(ConsentState.allCases.randomElement(using: &generator)),
                occurredAt: .noon + Int64.random(in: 0..<8, using: &generator), validUntil: nil)
            let recipient = try #require(recipients.randomElement(using: &generator))
            let purpose = try #require(purposes.randomElement(using: &generator))
            timeline.add(record, about: recipient, for: purpose)
            entered.append((recipient, purpose, record))
            for (recipient, purpose) in recipients.flatMap({ one in purposes.map { (one, $0) } }) {
                let instant = Timestamp.noon + Int64.random(in: -1...8, using: &generator)
                let records = entered.filter { $0.0 == recipient && $0.1 == purpose }.map(\.2)
                let found = timeline.inForce(recipient, purpose, at: instant)
                #expect(found == ConsentInForce.inForce(among: records, at: instant))
            }
        }
    }

    @Test(
        "are as many as one recipient has, in any order, in a time that grows with their number alone",
        .timeLimit(.minutes(1)))
    func many() throws {
        var generator = SeededGenerator(seed: 1)
        var records = RankedRecords()
        var entered: [ConsentInForce] = []
        func add(at instant: Int64) throws {
            let record = ConsentInForce(
                record: ConsentRecordID(try number(entered.count + 1)),
                state: entered.count % 3 == 0 ? .withdrawn : .given, occurredAt: .noon + instant, validUntil: nil)
            records.add(record)
            entered.append(record)
        }
        for _ in 0..<4_000 { try add(at: Int64.random(in: 0..<1_000, using: &generator)) }
        for instant in stride(from: Int64(-1), through: 1_000, by: 7) {
            let found = records.inForce(at: .noon + instant)
            #expect(found == ConsentInForce.inForce(among: entered, at: .noon + instant))
        }
        for age in 1...100_000 { try add(at: -Int64(age)) }
        for age in [Int64(1), 50_000, 99_999, 100_000] {
            let found = records.inForce(at: .noon + -age)
            #expect(found?.occurredAt == .noon + -age)
        }
    }

    @Test("of one recipient say nothing about another, whose name and purpose run together alike")
    func subjects() throws {
        var timeline = ConsentTimeline()
        let given = ConsentInForce(
            record: ConsentRecordID(try number(1)), state: .given, occurredAt: .noon, validUntil: nil)
        timeline.add(given, about: try RecipientID("b"), for: try Purpose("a"))
        let others = [("b", "ab"), ("a", "b"), ("ab", "a"), ("B", "a"), ("b", "b")]
        for (recipient, purpose) in others {
            let found = timeline.inForce(try RecipientID(recipient), try Purpose(purpose), at: .noon)
            #expect(found == nil, "\(recipient) \(purpose)")
        }
        let found = timeline.inForce(try RecipientID("b"), try Purpose("a"), at: .noon)
        #expect(found == given)
    }

    @Test("are compared by bytes: two spellings of one letter are two recipients")
    func spellings() throws {
        var timeline = ConsentTimeline()
        let refused = ConsentInForce(
            record: ConsentRecordID(try number(1)), state: .refused, occurredAt: .noon, validUntil: nil)
        timeline.add(refused, about: try RecipientID("caf\u{E9}"), for: .tracking)
        let decomposed = timeline.inForce(try RecipientID("cafe\u{301}"), .tracking, at: .noon)
        #expect(decomposed == nil)
    }

    private func number(_ value: Int) throws -> TimeOrderedNumber {
        try #require(TimeOrderedNumber(rawValue: UInt64(value)))
    }
}
