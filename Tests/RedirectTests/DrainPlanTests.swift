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

    @Test(
        "a click that may have come at any moment of a span is kept if one record permits it at each of them",
        arguments: [
            (0, .given, true), (-1, .given, true), (1, .given, false), (0, .withdrawn, false), (1, .withdrawn, false),
        ] as [(Int64, ConsentState, Bool)])
    func throughout(_ recorded: Int64, _ state: ConsentState, _ isKept: Bool) throws {
        // What came before a grant within the span is not looked at: it may have been a withdrawal.
        let status = ConsentStatus.inForce(
            ConsentInForce(
                record: try #require(ConsentRecordID(rawValue: 1)), state: state, occurredAt: .noon + recorded,
                validUntil: nil))
        let rules = [try MessageID.sample(1): try rules(.init(.restrictive, since: .distantPast))]
        let plan = DrainPlan(
            [try spooled(1)], rules: rules, statuses: [status], spans: [.noon...(.noon + 5000)])
        #expect(plan.kept.count == (isKept ? 1 : 0))
        #expect(plan.droppedCount == (isKept ? 0 : 1))
    }

    @Test(
        "without a record, a click is kept if no rule of its span needs one",
        arguments: [(-1, 0, true), (-1, 1, false), (-1, 9, false), (1, 2, false), (5, 9, true)]
            as [(Int64, Int64, Bool)])
    func enforcementOfASpan(_ first: Int64, _ last: Int64, _ isKept: Bool) throws {
        let rules = try rules(
            .init(.nonRestrictive, since: .distantPast), .init(.restrictive, since: .noon + first),
            .init(.nonRestrictive, since: .noon + last))
        let plan = DrainPlan(
            [try spooled(1)], rules: [try .sample(1): rules], statuses: [.nothing], spans: [.noon + 1...(.noon + 5)])
        #expect(plan.kept.count == (isKept ? 1 : 0))
    }

    @Test("a click that may have come after its message was switched off is dropped", arguments: [true, false])
    func disabled(_ isSpan: Bool) throws {
        var rules = try rules(.init(.nonRestrictive, since: .distantPast))
        rules.isDisabled = true
        let plan = DrainPlan(
            [try spooled(1)], rules: [try .sample(1): rules], statuses: [.nothing],
            spans: [isSpan ? .noon...(.noon + 1) : nil])
        #expect(plan.kept.count == (isSpan ? 0 : 1))
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
