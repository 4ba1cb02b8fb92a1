import Consent
import Counting
import Identifiers
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import UseCases

private struct StillRead: StoreFailure {
    var isTransient: Bool { true }
    var description: String { "still read" }
}

/// Takes what is recorded, or fails.
private struct Recorder: ConsentRecorder {
    var isBroken = false
    /// Whether somebody reads an older state of the files.
    var isFileRead = false
    let record: ConsentRecord

    private func check() throws { if isBroken { throw Outage() } }

    func append(
        _ records: [NewConsentRecord], in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] {
        try check()
        return records.map { _ in record }
    }

    func withdraw(
        _: RecipientReference, for purposes: [Purpose], alsoOpens _: Bool, evidence _: ConsentEvidence,
        in _: OrganizationID, at _: Timestamp
    ) async throws -> [Withdrawal] {
        try check()
        return purposes.map { _ in .recorded(record) }
    }

    func recordedPurposes(
        among purposes: Set<Purpose>, in _: OrganizationID, limit _: Int
    ) async throws -> RecordedPurposes { RecordedPurposes(known: purposes, count: 1) }

    func erase(
        _: RecipientID, in _: OrganizationID, whenDurable: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts {
        try check()
        let erasure = ErasureCounts(consents: 1, decisions: 2, interactions: 3)
        whenDurable(erasure)
        if isFileRead { throw StillRead() }
        return erasure
    }

    func clearErased() async throws { if isFileRead { throw StillRead() } }
}

@Suite struct ConsentRecordingTests {
    private let acme: OrganizationID
    private let recipient: RecipientID
    private let stored: ConsentRecord
    private let reference: RecipientReference
    private let erasedSpools = Counter()

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func add() { count.withLock { $0 += 1 } }
    }

    init() throws {
        acme = try OrganizationID("acme")
        recipient = try RecipientID("ana@example.com")
        stored = ConsentRecord(
            id: ConsentRecordID(try Samples.number(3)), purpose: .tracking, state: .withdrawn, occurredAt: .noon,
            recordedAt: .noon, validUntil: nil, evidence: nil)
        reference = try #require(RecipientReference(rawValue: 1))
    }

    private func recording(isBroken: Bool = false, isFileRead: Bool = false) -> ConsentRecording {
        ConsentRecording(Recorder(isBroken: isBroken, isFileRead: isFileRead, record: stored)) { [erasedSpools] in
            erasedSpools.add()
        }
    }

    private func total(_ name: String, _ recording: ConsentRecording) -> String {
        let lines = PrometheusText(recording.metrics).text.split(separator: "\n")
        return lines.filter { $0.hasPrefix(name) }.joined(separator: " ")
    }

    @Test("what is durable is counted by its state, what failed is not")
    func counting() async throws {
        let recording = recording()
        _ = try await recording.withdraw(
            reference, for: [.tracking], alsoOpens: false, evidence: ConsentEvidence(), in: acme, at: .noon)
        #expect(total("consentlink_consent_records_total{state=\"withdrawn\"}", recording).hasSuffix(" 1"))
        let broken = self.recording(isBroken: true)
        await #expect(throws: Outage.self) {
            try await broken.withdraw(
                reference, for: [.tracking], alsoOpens: false, evidence: ConsentEvidence(), in: acme, at: .noon)
        }
        #expect(total("consentlink_consent_records_total{state=\"withdrawn\"}", broken).hasSuffix(" 0"))
    }

    @Test("an erasure forgets the clicks that wait in the spool, too")
    func erasure() async throws {
        let recording = recording()
        #expect(try await recording.erase(recipient, in: acme).interactions == 3)
        #expect(erasedSpools.value == 1)
        #expect(total("consentlink_erasures_total", recording).hasSuffix(" 1"))
        let broken = self.recording(isBroken: true)
        await #expect(throws: Outage.self) { try await broken.erase(recipient, in: acme) }
        #expect(erasedSpools.value == 1, "nothing was erased")
    }

    @Test("an erasure is told when it is durable, before files are cleared, and not when nothing was written")
    func durable() async throws {
        let told = Counter()
        let spoolFails = ConsentRecording(Recorder(record: stored)) { [told] in
            #expect(told.value == 1)
            throw StillRead()
        }
        for (recording, expected) in [(spoolFails, 1), (recording(isFileRead: true), 2)] {
            let failure = await #expect(throws: UnclearedErasure.self) {
                try await recording.erase(recipient, in: acme) { [told] erasure in
                    #expect(erasure == ErasureCounts(consents: 1, decisions: 2, interactions: 3))
                    told.add()
                }
            }
            #expect(failure?.description == "a recipient is erased, but files are not cleared yet: still read")
            #expect(told.value == expected)
            #expect(total("consentlink_erasures_total", recording).hasSuffix(" 1"))
        }
        let broken = recording(isBroken: true)
        await #expect(throws: Outage.self) { try await broken.erase(recipient, in: acme) { [told] _ in told.add() } }
        #expect(told.value == 2)
    }

    @Test("an erasure that left data in a file is counted until a clearing, which is tried until it succeeds")
    func uncleared() async throws {
        let isRead = Mutex(true)
        let recording = ConsentRecording(Recorder(record: stored)) {
            if isRead.withLock({ $0 }) { throw StillRead() }
        }
        func count() -> String { total("consentlink_erasures_uncleared", recording) }
        #expect(try await !recording.clearErased())
        for _ in 0..<2 {
            await #expect(throws: UnclearedErasure.self) { try await recording.erase(recipient, in: acme) }
        }
        await #expect(throws: StillRead.self) { try await recording.clearErased() }
        #expect(count().hasSuffix(" 2"))
        isRead.withLock { $0 = false }
        #expect(try await recording.clearErased())
        #expect(count().hasSuffix(" 0"))
        #expect(try await !recording.clearErased())

        let storeIsRead = self.recording(isFileRead: true)
        await #expect(throws: UnclearedErasure.self) { try await storeIsRead.erase(recipient, in: acme) }
        await #expect(throws: StillRead.self) { try await storeIsRead.clearErased() }
        #expect(erasedSpools.value == 0)
    }

    @Test("an erasure that clears the files clears them of those before it")
    func clearedByAnother() async throws {
        let isRead = Mutex(true)
        let recording = ConsentRecording(Recorder(record: stored)) {
            if isRead.withLock({ $0 }) { throw StillRead() }
        }
        await #expect(throws: UnclearedErasure.self) { try await recording.erase(recipient, in: acme) }
        isRead.withLock { $0 = false }
        _ = try await recording.erase(recipient, in: acme)
        #expect(total("consentlink_erasures_uncleared", recording).hasSuffix(" 0"))
    }

    @Test(
        "an erasure that fails while files are cleared stays counted until it is cleared itself",
        arguments: [false, true])
    func failedMeanwhile(_ isClearedLater: Bool) async throws {
        let other = Mutex<ConsentRecording?>(nil)
        let calls = Counter()
        // The clearing during which another erasure fails: that of the first erasure, or the one that repeats it.
        let clearing = isClearedLater ? 2 : 1
        let recording = ConsentRecording(Recorder(record: stored)) { [recipient, acme] in
            calls.add()
            switch calls.value {
            case clearing:
                let recording = other.withLock { $0 }
                await #expect(throws: UnclearedErasure.self) { try await recording?.erase(recipient, in: acme) }
            case 1, clearing + 1: throw StillRead()
            default: break
            }
        }
        other.withLock { $0 = recording }
        defer { other.withLock { $0 = nil } }
        if isClearedLater {
            await #expect(throws: UnclearedErasure.self) { try await recording.erase(recipient, in: acme) }
            #expect(try await recording.clearErased())
        } else {
            _ = try await recording.erase(recipient, in: acme)
        }
        #expect(calls.value == clearing + 1)
        #expect(total("consentlink_erasures_uncleared", recording).hasSuffix(" 1"))
        #expect(try await recording.clearErased())
        #expect(total("consentlink_erasures_uncleared", recording).hasSuffix(" 0"))
    }
}
