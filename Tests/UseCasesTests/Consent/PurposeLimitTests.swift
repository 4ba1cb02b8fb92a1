import Consent
import Identifiers
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Keeps the purposes of what it is given.
private final class Recorder: ConsentRecorder {
    private let state = Mutex((purposes: Set<Purpose>(), questions: 0))
    private let canBeAsked: Bool

    init(_ purposes: Set<Purpose>, canBeAsked: Bool = true) {
        self.canBeAsked = canBeAsked
        state.withLock { $0.purposes = purposes }
    }

    var purposes: Set<Purpose> { state.withLock { $0.purposes } }
    var questions: Int { state.withLock { $0.questions } }

    func append(
        _ records: [NewConsentRecord], in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] {
        state.withLock { $0.purposes.formUnion(records.map(\.purpose)) }
        return []
    }

    func recordedPurposes(
        among purposes: Set<Purpose>, in _: OrganizationID, limit: Int
    ) async throws -> RecordedPurposes {
        guard canBeAsked else { throw Outage() }
        return state.withLock { state in
            state.questions += 1
            return RecordedPurposes(
                known: purposes.intersection(state.purposes), count: min(limit, state.purposes.count))
        }
    }

    func withdraw(
        _: RecipientReference, for _: [Purpose], alsoOpens _: Bool, evidence _: ConsentEvidence, in _: OrganizationID,
        at _: Timestamp
    ) async throws -> [Withdrawal] { throw Outage() }
    func erase(
        _: RecipientID, in _: OrganizationID, whenDurable _: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts { throw Outage() }
    func clearErased() async throws { throw Outage() }
}

/// For how many purposes an organization may have consent records, and what is recorded all the same.
@Suite struct PurposeLimitTests {
    private let acme: OrganizationID
    private let used: [Purpose]

    init() throws {
        acme = try OrganizationID("acme")
        used = try (0..<TooManyPurposes.maximumCount).map { try Purpose("purpose-\($0)") }
    }

    private func record(_ state: ConsentState, _ purpose: String) throws -> NewConsentRecord {
        try NewConsentRecord(
            recipient: RecipientID("ana"), purpose: Purpose(purpose), state: state, occurredAt: nil, validUntil: nil,
            evidence: nil, now: .noon)
    }

    private func record(_ records: [NewConsentRecord], by recorder: Recorder) async throws {
        _ = try await ConsentRecording(recorder) {}.record(records, in: acme, at: .noon)
    }

    @Test("the last purpose that may be is granted, the next one is refused by its name, and nothing is stored")
    func limit() async throws {
        let recorder = Recorder(Set(used.dropLast()))
        try await record([record(.given, "last"), record(.given, "last")], by: recorder)
        let refused = TooManyPurposes([try Purpose("next"), try Purpose("after")])
        await #expect(throws: refused) {
            try await record(
                [record(.given, "purpose-1"), record(.given, "next"), record(.given, "after")], by: recorder)
        }
        #expect(recorder.purposes.count == TooManyPurposes.maximumCount)
    }

    @Test("of several new purposes those that come first are granted")
    func order() async throws {
        let recorder = Recorder(Set(used.dropLast(2)))
        let records = try ["a", "b", "a", "c", "purpose-1"].map { try record(.given, $0) }
        await #expect(throws: TooManyPurposes([try Purpose("c")])) { try await record(records, by: recorder) }
        #expect(recorder.purposes.count == TooManyPurposes.maximumCount - 2)
    }

    @Test("of records in a row each is judged as if those before it were stored")
    func rows() async throws {
        let recorder = Recorder(Set(used.dropLast()))
        let records = try [
            (.given, "purpose-1"), (.refused, "new"), (.given, "new"), (.given, "newer"), (.withdrawn, "newer"),
            (.given, "newer"), (.given, "newest"),
        ].map { try record($0, $1) }
        let recording = ConsentRecording(recorder) {}
        #expect(await recording.grantsBeyondLimit(of: records, in: acme) == [3, 6])
        var apart: Set<Int> = []
        for (index, record) in records.enumerated() {
            let isRefused = await !recording.grantsBeyondLimit(of: [record], in: acme).isEmpty
            if isRefused {
                apart.insert(index)
            } else {
                _ = try await recording.record([record], in: acme, at: .noon)
            }
        }
        #expect(apart == [3, 6])
    }

    @Test("purposes that have records go on, also beyond the limit")
    func existing() async throws {
        let recorder = Recorder(Set(used).union([try Purpose("more")]))
        try await record([record(.given, "more"), record(.given, "purpose-7")], by: recorder)
    }

    @Test(
        "a record that ends tracking is stored for any purpose, alone and among grants",
        arguments: ConsentState.allCases.filter(\.endsTracking))
    func ends(_ state: ConsentState) async throws {
        let recorder = Recorder(Set(used))
        try await record([record(state, "new")], by: recorder)
        try await record([record(.given, "newer"), record(state, "newest")], by: recorder)
        #expect(recorder.purposes.count == TooManyPurposes.maximumCount + 3)
        #expect(recorder.questions == 0)
    }

    @Test("where the purposes cannot be read, what can be written is recorded")
    func unreadable() async throws {
        let recorder = Recorder(Set(used), canBeAsked: false)
        try await record([record(.given, "new")], by: recorder)
        #expect(recorder.purposes.contains(try Purpose("new")))
    }

    @Test("the store is asked only about purposes that were not seen in use")
    func cost() async throws {
        let recorder = Recorder(Set(used))
        let recording = ConsentRecording(recorder) {}
        for _ in 0..<3 {
            _ = try await recording.record([record(.given, "purpose-1")], in: acme, at: .noon)
        }
        #expect(recorder.questions == 1)
        await #expect(throws: TooManyPurposes.self) {
            _ = try await recording.record([record(.given, "new")], in: acme, at: .noon)
        }
        let other = try await recording.grantsBeyondLimit(
            of: [record(.given, "purpose-1")], in: OrganizationID("other"))
        #expect(other.isEmpty && recorder.questions == 3, "another organization's purposes are its own")
    }
}
