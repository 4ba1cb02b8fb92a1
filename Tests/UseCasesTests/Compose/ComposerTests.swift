import Consent
import Formats
import Identifiers
import JSON
import Messages
import Organizations
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// What one recipient said, and the decisions about them, in memory.
private final class Records: ConsentLookup, DecisionRecorder {
    private struct State {
        var status: ConsentStatus
        var recorded: [RecordedDecision] = []
        /// How many appends are still refused because a recipient was erased meanwhile.
        var staleAppends = 0
        var appends = 0
    }

    private let state: Mutex<State>

    init(_ status: ConsentStatus) { state = Mutex(State(status: status)) }

    var recorded: [RecordedDecision] { state.withLock { $0.recorded } }
    var appends: Int { state.withLock { $0.appends } }

    func say(_ status: ConsentStatus) { state.withLock { $0.status = status } }
    func refuseAppends(_ count: Int) { state.withLock { $0.staleAppends = count } }

    func statuses(
        of recipients: [RecipientID], for _: Purpose, in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses {
        let status = state.withLock { $0.status }
        return ConsentStatuses(
            statuses: recipients.map { _ in status },
            basis: SnapshotBasis(
                erasures: ErasureCount(rawValue: 0), lastRecord: nil, holdsUntil: .distantFuture))
    }

    func statuses(of _: [ReferenceQuestion]) async throws -> [ConsentStatus] { [] }

    func append(
        _ decisions: [Decision], of _: MessageID, enforcement _: Enforcement, in _: OrganizationID,
        asOf _: SnapshotBasis, at _: Timestamp, once _: IdempotencyFingerprint?
    ) async throws -> [RecordedDecision] {
        try state.withLock { state in
            state.appends += 1
            if state.staleAppends > 0 {
                state.staleAppends -= 1
                throw StaleSnapshot()
            }
            let recorded = try decisions.enumerated().map { index, decision in
                try #require(
                    RecordedDecision(
                        stored: DecisionID(try Samples.number(UInt64(100 + index))), reason: decision.verdict.reason,
                        reference: RecipientReference(rawValue: UInt64(index) + 1)))
            }
            state.recorded = recorded
            return recorded
        }
    }

    func decisions(
        from _: DecisionID, through _: DecisionID, in _: OrganizationID
    ) async throws -> [RecordedDecision] { recorded }
}

@Suite struct ComposerTests {
    private let clock = HandClock()
    private let recipients: [RecipientID]

    init() throws { recipients = [try RecipientID("ana@example.com"), try RecipientID("ben@example.com")] }

    private func composer(_ records: Records) throws -> Composer {
        Composer(
            consent: records, decisions: records, metrics: DecisionMetrics(),
            keys: CurrentKeyRing(try Samples.keyRing()), linkLifetimeInDays: 30, now: { [clock] in clock.now() })
    }

    private func compile(_ message: StoredMessage) throws -> CompiledMessage {
        try CompiledMessage(
            message.content, format: .plain, origin: try PublicOrigin("https://links.example"), at: .root)
    }

    private var given: ConsentStatus { get throws { .inForce(try consent(.given)) } }
    private var withdrawn: ConsentStatus { get throws { .inForce(try consent(.withdrawn)) } }

    private func consent(_ state: ConsentState) throws -> ConsentInForce {
        ConsentInForce(
            record: ConsentRecordID(try Samples.number(3)), state: state, occurredAt: .noon, validUntil: nil)
    }

    private func effect() throws -> RequestEffect {
        RequestEffect(first: try Samples.number(100), last: try Samples.number(101), isNew: true)
    }

    @Test("consent in force is a tracked payload, and a decision that is stored first")
    func tracked() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composed = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(composed.decisions == records.recorded)
        #expect(composed.decisions.map(\.reason) == [.consentGiven, .consentGiven])
        #expect(composed.decisions.allSatisfy { $0.permit != .untracked })
    }

    @Test("a message that is not to be tracked has untracked payloads only")
    func trackingOff() async throws {
        let (records, message) = (Records(try given), try Samples.message(tracking: false))
        let composed = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(composed.decisions.map(\.reason) == [.trackingOffForMessage, .trackingOffForMessage])
        #expect(composed.decisions.allSatisfy { $0.permit == .untracked })
    }

    @Test("when a recipient is erased meanwhile, it asks and decides again, five times at most")
    func stale() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        records.refuseAppends(4)
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        #expect(records.appends == 5)
        records.refuseAppends(5)
        await #expect(throws: StaleSnapshot.self) {
            try await composer(records).compose(
                message, as: compile(message), for: recipients, in: Samples.organization())
        }
        #expect(records.appends == 10)
    }

    @Test("a repeated request stores no decision, and is untracked for who withdrew since, with the reason")
    func replay() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions == records.recorded && again.ended.isEmpty)
        records.say(try withdrawn)
        let after = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(after.decisions.map(\.reason) == [.consentGiven, .consentGiven], "the decision stands")
        #expect(after.decisions.allSatisfy { $0.permit == .untracked })
        #expect(after.ended == [0: .consentWithdrawn, 1: .consentWithdrawn])
        #expect(records.appends == 1)
    }

    @Test("a recipient who was not tracked then is not tracked in the answer to a repeated request")
    func replayUntracked() async throws {
        let (records, message) = (Records(.nothing), try Samples.message())
        _ = try await composer(records).compose(
            message, as: compile(message), for: recipients, in: Samples.organization())
        records.say(try given)
        let again = try await composer(records).replay(
            message, as: compile(message), for: recipients, in: Samples.organization(), effect())
        #expect(again.decisions.allSatisfy { $0.permit == .untracked } && again.ended.isEmpty)
    }

    @Test("an evaluation is decided by for a tenth of a second")
    func freshness() async throws {
        let (records, message) = (Records(try given), try Samples.message())
        let composer = try composer(records)
        let evaluation = try await composer.evaluate(recipients, for: message, in: Samples.organization())
        clock.advance(byMilliseconds: 100)
        #expect(composer.isFresh(evaluation))
        clock.advance(byMilliseconds: 1)
        #expect(!composer.isFresh(evaluation))
        #expect(records.appends == 0, "an evaluation stores nothing")
    }
}
