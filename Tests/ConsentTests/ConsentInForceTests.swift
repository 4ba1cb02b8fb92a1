import Consent
import Identifiers
import TestSupport
import Testing

@Suite struct ConsentInForceTests {
    private func inForce(_ records: [ConsentInForce], at instant: Timestamp = .noon) -> ConsentInForce? {
        ConsentInForce.inForce(among: records, at: instant)
    }

    @Test("nothing is in force where nothing was recorded, or nothing has occurred yet")
    func nothing() throws {
        #expect(inForce([]) == nil)
        #expect(inForce([try .sample(.given, at: .noon + 1)]) == nil)
    }

    @Test("a record counts from the very moment it occurred")
    func boundary() throws {
        let grant = try ConsentInForce.sample(.given)
        #expect(inForce([grant], at: .noon) == grant)
        #expect(inForce([grant], at: .noon + -1) == nil)
    }

    @Test("a withdrawal outranks an older grant, and a newer grant the withdrawal")
    func later() throws {
        let grant = try ConsentInForce.sample(.given, record: 1, at: .noon)
        let withdrawal = try ConsentInForce.sample(.withdrawn, record: 2, at: .noon + 10)
        let again = try ConsentInForce.sample(.given, record: 3, at: .noon + 20)
        let records = [grant, withdrawal, again]
        #expect(inForce(records, at: .noon + 9) == grant)
        #expect(inForce(records, at: .noon + 10) == withdrawal)
        #expect(inForce(records, at: .noon + 19) == withdrawal)
        #expect(inForce(records, at: .noon + 20) == again)
    }

    @Test("a grant that arrives after the withdrawal that followed it does not bring it back")
    func outOfOrder() throws {
        let lateGrant = try ConsentInForce.sample(.given, record: 9, at: .noon)
        let withdrawal = try ConsentInForce.sample(.withdrawn, record: 1, at: .noon + 1)
        #expect(inForce([withdrawal, lateGrant], at: .noon + 5) == withdrawal)
        #expect(inForce([lateGrant, withdrawal], at: .noon + 5) == withdrawal)
        #expect(inForce([withdrawal, lateGrant], at: .noon) == lateGrant)
    }

    @Test(
        "at the same instant the one that ends tracking wins, whichever was recorded first",
        arguments: ConsentState.allCases.filter(\.endsTracking), [true, false])
    func tie(_ state: ConsentState, _ grantIsLater: Bool) throws {
        let grant = try ConsentInForce.sample(.given, record: grantIsLater ? 2 : 1)
        let ending = try ConsentInForce.sample(state, record: grantIsLater ? 1 : 2)
        #expect(inForce([grant, ending]) == ending)
        #expect(inForce([ending, grant]) == ending)
        #expect(ending.outranks(grant))
        #expect(!grant.outranks(ending))
    }

    @Test(
        "of two alike at the same instant the one recorded later wins",
        arguments: [(ConsentState.given, ConsentState.given), (.withdrawn, .refused), (.refused, .withdrawn)])
    func tieOfAlike(_ earlier: ConsentState, _ later: ConsentState) throws {
        let one = try ConsentInForce.sample(earlier, record: 1)
        let other = try ConsentInForce.sample(later, record: 2)
        #expect(inForce([one, other]) == other)
        #expect(inForce([other, one]) == other)
    }

    @Test("a record that has expired is still the one in force: an older grant does not come back behind it")
    func expired() throws {
        let unlimited = try ConsentInForce.sample(.given, record: 1, at: .noon)
        let limited = try ConsentInForce.sample(.given, record: 2, at: .noon + 1, until: .noon + 10)
        #expect(inForce([unlimited, limited], at: .noon + 10) == limited)
        #expect(limited.isExpired(at: .noon + 10))
        #expect(!limited.isExpired(at: .noon + 9))
        #expect(!unlimited.isExpired(at: .distantFuture))
    }

    @Test("the order in which records arrive makes no difference, and the rank is a strict order")
    func anyOrder() throws {
        var generator = SeededGenerator(seed: 1)
        for round in 0..<2000 {
            let records = try (1...6).map { record in
                try ConsentInForce.sample(
                    try #require(ConsentState.allCases.randomElement(using: &generator)), record: UInt64(record),
                    at: .noon + .random(in: -2...2, using: &generator))
            }
            let instant = Timestamp.noon + .random(in: -2...2, using: &generator)
            let expected = inForce(records, at: instant)
            #expect(inForce(records.shuffled(using: &generator), at: instant) == expected, "round \(round)")
            for one in records {
                for other in records {
                    #expect((one.outranks(other) ? 1 : 0) + (other.outranks(one) ? 1 : 0) == (one == other ? 0 : 1))
                }
            }
            if let expected {
                #expect(!records.contains { $0.occurredAt <= instant && $0.outranks(expected) })
            }
        }
    }

    @Test("of a stored record the part that decides is what it says")
    func ofRecord() throws {
        let record = ConsentRecord(
            id: try #require(ConsentRecordID(rawValue: 7)), purpose: .tracking, state: .given, occurredAt: .noon,
            recordedAt: .noon + 5, validUntil: .noon + 9, evidence: nil)
        #expect(try record.inForce == .sample(.given, record: 7, at: .noon, until: .noon + 9))
    }
}
