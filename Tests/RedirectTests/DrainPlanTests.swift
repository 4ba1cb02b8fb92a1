import Consent
import Identifiers
import Interactions
import Messages
import TestSupport
import Testing

@testable import Redirect

@Suite struct DrainPlanTests {
    private func spooled(_ id: UInt64, message: UInt64 = 1, at instant: Timestamp = .noon) throws -> SpooledOccurrence {
        SpooledOccurrence(
            id: try #require(InteractionID(rawValue: id)), occurrence: try .click(by: id, on: message, at: instant))
    }

    private func rules(_ changes: EnforcementHistory.Change...) throws -> DrainPlan.Rules {
        DrainPlan.Rules(purposes: .tracking, enforcement: try #require(EnforcementHistory(changes)))
    }

    private func consent(_ state: ConsentState, until: Timestamp? = nil) throws -> ConsentStatus {
        .inForce(
            ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: 1)), state: state, occurredAt: .noon, validUntil: until))
    }

    @Test("what was permitted at the moment of the click is kept, the rest is dropped and counted")
    func verdicts() throws {
        let statuses: [ConsentStatus] = [
            try consent(.given), try consent(.withdrawn), .nothing, .erased, try consent(.given, until: .noon + 1),
            try consent(.given, until: .noon),
        ]
        let clicks = try (1...6).map { try spooled($0) }
        let strict = DrainPlan(
            clicks, rules: [try .sample(1): try rules(.init(.restrictive, since: .distantPast))], statuses: statuses)
        #expect(strict.kept.map(\.id.rawValue) == [1, 5])
        #expect(strict.droppedCount == 4)
        let lenient = DrainPlan(
            clicks, rules: [try .sample(1): try rules(.init(.nonRestrictive, since: .distantPast))],
            statuses: statuses)
        #expect(lenient.kept.map(\.id.rawValue) == [1, 3, 5, 6])
        #expect(lenient.droppedCount == 2)
    }

    @Test("a stricter enforcement takes back no click of before")
    func enforcementOfThen() throws {
        let clicks = [try spooled(1, at: .noon), try spooled(2, at: .noon + 11)]
        let plan = DrainPlan(
            clicks,
            rules: [
                try .sample(1): try rules(
                    .init(.nonRestrictive, since: .distantPast), .init(.restrictive, since: .noon + 10))
            ],
            statuses: [.nothing, .nothing])
        #expect(plan.kept.map(\.id.rawValue) == [1])
    }

    @Test("of clicks at uncertain times those stay that a later look keeps, and the others stay as they are")
    func narrowed() throws {
        let clicks = try (1...4).map { number in
            SpooledOccurrence(
                id: try #require(InteractionID(rawValue: number)), occurrence: try .click(by: number),
                certainty: number == 1 ? .judged : .untimed)
        }
        let rules = [try MessageID.sample(1): try rules(.init(.restrictive, since: .distantPast))]
        let given = try consent(.given)
        var plan = DrainPlan(clicks, rules: rules, statuses: [given, given, given, .nothing])
        #expect(plan.kept.map(\.id.rawValue) == [1, 2, 3])
        plan.narrow(
            untimed: DrainPlan(Array(clicks[1...2]), rules: rules, statuses: [given, try consent(.withdrawn)]))
        #expect(plan.kept.map(\.id.rawValue) == [1, 2])
        #expect(plan.droppedCount == 2)
        plan.narrow(
            untimed: DrainPlan(
                [clicks[1]], rules: rules, undecidable: [try MessageID.sample(1)], statuses: [given]))
        #expect(plan.kept.map(\.id.rawValue) == [1])
        #expect(plan.undecided == [clicks[1]])
    }

    @Test("a click on a message that no store has is dropped")
    func unknownMessage() throws {
        let plan = DrainPlan(
            [try spooled(1, message: 1), try spooled(2, message: 2)],
            rules: [try .sample(2): try rules(.init(.nonRestrictive, since: .distantPast))],
            statuses: [.nothing, .nothing])
        #expect(plan.kept.map(\.id.rawValue) == [2])
        #expect(plan.droppedCount == 1)
    }

    @Test("nothing gives nothing")
    func empty() {
        #expect(DrainPlan([], rules: [:], statuses: []).kept.isEmpty)
    }
}
