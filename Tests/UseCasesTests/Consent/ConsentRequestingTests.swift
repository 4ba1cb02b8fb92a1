import Consent
import Identifiers
import Messages
import Organizations
import Synchronization
import TestSupport
import Testing
import TrackingIDs

@testable import UseCases

/// Refuses every request, and keeps the pauses that it was asked to keep.
private final class PauseStore: ConsentRequestStore {
    private let asked = Mutex<[AskingPause]>([])

    var pauses: [AskingPause] { asked.withLock { $0 } }

    func ask(
        _: NewConsentRequest, pausing pause: AskingPause, in _: OrganizationID, at _: Timestamp,
        fingerprint _: IdempotencyFingerprint?
    ) async throws -> AskingOutcome {
        asked.withLock { $0.append(pause) }
        return .refused(.erased)
    }

    func request(_: ConsentRequestID) async throws -> ConsentRequest? { nil }
    func requests(
        about _: RecipientID, after _: ConsentRequestID?, limit _: Int, in _: OrganizationID
    ) async throws -> [ConsentRequest] { [] }
    func awaitingConfirmation(
        after _: TimeOrderedNumber?, limit _: Int, in _: OrganizationID, at _: Timestamp
    ) async throws -> [ConsentRequest] { [] }
    func answer(
        _: AnswerPress, in _: OrganizationID, at _: Timestamp
    ) async throws -> AnsweredRequest? { nil }
}

/// Takes no record, and knows no purpose.
private struct NoRecorder: ConsentRecorder {
    func append(
        _: [NewConsentRecord], in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] { throw Outage() }
    func withdraw(
        _: RecipientReference, for _: [Purpose], alsoOpens _: Bool, evidence _: ConsentEvidence,
        in _: OrganizationID, at _: Timestamp
    ) async throws -> [Withdrawal] { throw Outage() }
    func recordedPurposes(
        among _: Set<Purpose>, in _: OrganizationID, limit _: Int
    ) async throws -> RecordedPurposes { RecordedPurposes(known: [], count: 0) }
    func erase(
        _: RecipientID, in _: OrganizationID, whenDurable _: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts { throw Outage() }
    func clearErased() async throws {}
}

@Suite struct ConsentRequestingTests {
    @Test(
        "a pause is the longer one of the organization and the service, and no clock that is ahead ends it",
        arguments: [(90, 180), (365, 365)] as [(Int, Int)], [nil, .noon] as [Timestamp?])
    func pause(_ days: (minimum: Int, kept: Int), _ earliest: Timestamp?) async throws {
        let store = PauseStore()
        let requesting = ConsentRequesting(
            store: store, recording: ConsentRecording(NoRecorder()) {}, keys: CurrentKeyRing(try Samples.keyRing()),
            publicOrigin: try PublicOrigin("https://links.example"), minimumPauseInDays: days.minimum,
            earliest: { earliest })
        let new = NewConsentRequest(
            recipient: try RecipientID("ana@example.com"), purposes: [.tracking],
            notice: ConsentNotice(
                id: "privacy", version: "3", sha256: String(repeating: "0", count: 64), language: "en",
                body: .text("May we?")),
            needsConfirmation: false)
        // A clock that stepped ahead by more than every pause.
        let outcome = try await requesting.ask(
            new, in: try Samples.organization(), at: Timestamp.noon + .seconds(400 * 86_400), fingerprint: nil)
        #expect(outcome == .refused(.erased))
        #expect(store.pauses == [AskingPause(days: days.kept, earliest: earliest)])
    }
}
