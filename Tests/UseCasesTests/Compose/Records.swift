import Consent
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// What recipients said, and the decisions about them, in memory.
final class Records: ConsentLookup, DecisionRecorder {
    private struct State {
        var status: ConsentStatus
        /// What single recipients said instead.
        var own: [RecipientID: ConsentStatus] = [:]
        var enforcement = Enforcement.restrictive
        var recorded: [RecordedDecision] = []
        var losesDecisions = false
        /// How many appends are still refused because a recipient was erased meanwhile.
        var staleAppends = 0
        /// What the enforcement becomes just before the next append, which is refused for it.
        var nextEnforcement: Enforcement?
        var appends = 0
        /// How often it was asked for decisions to be stored, and how often for none.
        var asked = 0
        var askedUndecided = 0
    }

    private let state: Mutex<State>

    init(_ status: ConsentStatus) { state = Mutex(State(status: status)) }

    var recorded: [RecordedDecision] { state.withLock { $0.recorded } }
    var appends: Int { state.withLock { $0.appends } }
    var asked: Int { state.withLock { $0.asked } }
    var askedUndecided: Int { state.withLock { $0.askedUndecided } }

    func say(_ status: ConsentStatus) { state.withLock { $0.status = status } }
    func say(_ status: ConsentStatus, by recipient: RecipientID) { state.withLock { $0.own[recipient] = status } }
    /// As an erasure does with the decisions that are stored.
    func forgetRecipients() {
        state.withLock { state in state.recorded = state.recorded.map(\.withoutPermit) }
    }
    func loseDecisions() { state.withLock { $0.losesDecisions = true } }
    func changeEnforcement(to enforcement: Enforcement) { state.withLock { $0.nextEnforcement = enforcement } }
    func enforce(_ enforcement: Enforcement) { state.withLock { $0.enforcement = enforcement } }
    func refuseAppends(_ count: Int) { state.withLock { $0.staleAppends = count } }

    func statuses(
        of recipients: [RecipientID], for purposes: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses {
        state.withLock { $0.asked += 1 }
        return answer(about: recipients, for: purposes)
    }

    func statusesForPreview(
        of recipients: [RecipientID], for purposes: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses {
        state.withLock { $0.askedUndecided += 1 }
        return answer(about: recipients, for: purposes)
    }

    private func answer(about recipients: [RecipientID], for purposes: [Purpose]) -> ConsentStatuses {
        let (status, own, enforcement) = state.withLock { ($0.status, $0.own, $0.enforcement) }
        return ConsentStatuses(
            statuses: recipients.flatMap { who in purposes.map { _ in own[who] ?? status } }, enforcement: enforcement,
            basis: SnapshotBasis(
                epoch: OrganizationEpoch(rawValue: 0), lastRecord: nil, holdsUntil: .distantFuture))
    }

    func statuses(of _: [ReferenceQuestion]) async throws -> [ConsentStatus] { [] }
    func newestRecord() async throws -> ConsentRecordID? { nil }

    func append(
        _ decisions: [Decision], of _: MessageID, in _: OrganizationID, asOf _: SnapshotBasis,
        at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [RecordedDecision] {
        try state.withLock { state in
            state.appends += 1
            if let enforcement = state.nextEnforcement.take() {
                state.enforcement = enforcement
                throw StaleSnapshot()
            }
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
            return state.losesDecisions ? recorded.dropLast() : recorded
        }
    }

    func decisions(
        from _: DecisionID, through _: DecisionID, in _: OrganizationID
    ) async throws -> [RecordedDecision] { recorded }
}
