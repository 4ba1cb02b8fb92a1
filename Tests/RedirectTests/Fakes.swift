import Consent
import Foundation
import Identifiers
import Interactions
import Messages
import Organizations
import StoragePorts
import Synchronization
import TestSupport

@testable import Redirect

struct Outage: StoreFailure, Equatable {
    var description: String { "an outage" }
    var isTransient: Bool { true }
}

/// A clock that stands until it is set.
final class FakeClock: Sendable {
    private let instant = Mutex(Timestamp.noon)

    var now: Timestamp {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}

/// What was reported to the operator.
final class FaultList: Sendable {
    private let list = Mutex<[RedirectFault]>([])

    func add(_ fault: RedirectFault) { list.withLock { $0.append(fault) } }
    var count: Int { list.withLock { $0.count } }
    var all: [RedirectFault] { list.withLock { $0 } }
}

/// Messages in memory. Can be out of order, and can be held while it is being asked.
final class FakeMessageStore: MessageStore {
    private struct State {
        var messages: [MessageID: StoredMessage] = [:]
        var isOut = false
        var isDamaged = false
        var isHeld = false
        var calls = 0
    }

    private let state: Mutex<State>

    init(_ messages: StoredMessage...) {
        state = Mutex(State(messages: Dictionary(uniqueKeysWithValues: messages.map { ($0.id, $0) })))
    }

    /// How often somebody asked for a message.
    var calls: Int { state.withLock { $0.calls } }
    var isOut: Bool {
        get { state.withLock { $0.isOut } }
        set { state.withLock { $0.isOut = newValue } }
    }
    /// What is stored of any message cannot be read.
    var isDamaged: Bool {
        get { state.withLock { $0.isDamaged } }
        set { state.withLock { $0.isDamaged = newValue } }
    }
    /// Answers are as of the moment of the question, and are held back while this is set.
    var isHeld: Bool {
        get { state.withLock { $0.isHeld } }
        set { state.withLock { $0.isHeld = newValue } }
    }

    func put(_ message: StoredMessage) { state.withLock { $0.messages[message.id] = message } }

    func message(_ id: MessageID) async throws -> StoredMessage? {
        let answer: Result<StoredMessage?, any Error> = state.withLock { state in
            state.calls += 1
            guard !state.isDamaged else { return .failure(UnreadableMessage()) }
            return state.isOut ? .failure(Outage()) : .success(state.messages[id])
        }
        while isHeld { try await Task.sleep(for: .milliseconds(1)) }
        return try answer.get()
    }

    func save(
        _: Message, in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> (message: StoredMessage, isNew: Bool) { throw Outage() }
    func message(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { throw Outage() }
    func messageWithoutAddedLinks(_: MessageID, in _: OrganizationID) async throws -> StoredMessage? { throw Outage() }
    func size(of _: MessageID, in _: OrganizationID) async throws -> Int? { throw Outage() }
    func sizeOfAddedLinks(of _: MessageID, in _: OrganizationID, upTo _: Int) async throws -> Int { throw Outage() }
    func setDisabled(_: Bool, message _: MessageID, in _: OrganizationID) async throws -> StoredMessage? {
        throw Outage()
    }
    func addLinks(_: [MailLink], to _: MessageID, in _: OrganizationID) async throws -> [MessageLink?]? {
        throw Outage()
    }
}

/// Interactions in memory, by id. It can fail before or after it has stored.
final class FakeInteractionStore: InteractionStore {
    enum Fault {
        case beforeStoring
        case afterStoring
    }

    private struct State {
        var stored: [InteractionID: Occurrence] = [:]
        var sizes: [Int] = []
        var faults: [Fault] = []
        var changed: Set<RecipientReference> = []
        var newestRecords: [ConsentRecordID?] = []
    }

    private let state = Mutex(State())
    let maximumBatchSize = 6_000

    var stored: [InteractionID: Occurrence] { state.withLock { $0.stored } }
    /// How many each call was to store.
    var sizes: [Int] { state.withLock { $0.sizes } }
    var calls: Int { sizes.count }
    /// What goes wrong with the next calls, in their order.
    func fail(_ faults: Fault...) { state.withLock { $0.faults = faults } }

    private func store(_ occurrences: [SpooledOccurrence]) throws {
        try state.withLock { state in
            state.sizes.append(occurrences.count)
            let fault = state.faults.isEmpty ? nil : state.faults.removeFirst()
            guard fault != .beforeStoring else { throw Outage() }
            for spooled in occurrences where state.stored[spooled.id] == nil {
                state.stored[spooled.id] = spooled.occurrence
            }
            guard fault == nil else { throw Outage() }
        }
    }

    func prepare(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?
    ) async throws -> PreparedOccurrences { PreparedOccurrences(occurrences, judgedAsOf: newest) }

    /// The newest consent record as of which each call was judged.
    var newestRecords: [ConsentRecordID?] { state.withLock { $0.newestRecords } }

    func store(_ prepared: PreparedOccurrences, at _: Timestamp) async throws -> [SpooledOccurrence] {
        let changed = state.withLock { state in
            state.newestRecords.append(prepared.newestRecord)
            defer { state.changed = [] }
            return state.changed
        }
        let outdated = prepared.occurrences.filter { changed.contains($0.occurrence.recipient) }
        let others = prepared.occurrences.filter { !changed.contains($0.occurrence.recipient) }
        if !others.isEmpty { try store(others) }
        return outdated
    }

    /// Consent of these is recorded before the next call.
    func change(_ recipients: RecipientReference...) { state.withLock { $0.changed = Set(recipients) } }

    func reports(since _: Timestamp) async throws -> [Occurrence] { throw Outage() }
    func interactions(
        matching _: InteractionQuery, limit _: Int, in _: OrganizationID
    ) async throws -> [Interaction] { throw Outage() }
    func isKnown(_: InteractionFeedCursor, in _: OrganizationID) async throws -> Bool { throw Outage() }
    func count(in _: OrganizationID) async throws -> Int { throw Outage() }
}

/// Answers questions about references; those it was told nothing of are erased.
final class FakeConsentStore: ConsentStore {
    private let state = Mutex<[RecipientReference: ConsentStatus]>([:])
    private let apart = Mutex<[Purpose: [RecipientReference: ConsentStatus]]>([:])
    private let asked = Mutex<[ReferenceQuestion]>([])

    var questions: [ReferenceQuestion] { asked.withLock { $0 } }

    func set(_ reference: RecipientReference, _ status: ConsentStatus) {
        state.withLock { $0[reference] = status }
    }

    /// For one purpose alone.
    func set(_ reference: RecipientReference, _ status: ConsentStatus, for purpose: Purpose) {
        apart.withLock { $0[purpose, default: [:]][reference] = status }
    }

    func statuses(of questions: [ReferenceQuestion]) async throws -> [ConsentStatus] {
        asked.withLock { $0 += questions }
        onStatuses.withLock { $0 }?()
        let apart = apart.withLock(\.self)
        return state.withLock { state in
            questions.map { apart[$0.purpose]?[$0.reference] ?? state[$0.reference] ?? .erased }
        }
    }

    /// Is called when statuses are asked for, before they are given.
    let onStatuses = Mutex<(@Sendable () -> Void)?>(nil)

    /// The newest record of all.
    let newest = Note<ConsentRecordID?>(nil)

    func newestRecord() async throws -> ConsentRecordID? { newest.value }

    func append(
        _: [NewConsentRecord], in _: OrganizationID, at _: Timestamp, fingerprint _: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] { throw Outage() }
    func withdraw(
        _: RecipientReference, for _: [Purpose], alsoOpens _: Bool, evidence _: ConsentEvidence, in _: OrganizationID,
        at _: Timestamp
    ) async throws -> [Withdrawal] { throw Outage() }
    func recordedPurposes(
        among _: Set<Purpose>, in _: OrganizationID, limit _: Int
    ) async throws -> RecordedPurposes { throw Outage() }
    func records(
        from _: ConsentRecordID, through _: ConsentRecordID, in _: OrganizationID
    ) async throws -> [ConsentRecord] { throw Outage() }
    func statuses(
        of _: [RecipientID], for _: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses { throw Outage() }
    func statusesForPreview(
        of _: [RecipientID], for _: [Purpose], in _: OrganizationID, at _: Timestamp
    ) async throws -> ConsentStatuses { throw Outage() }
    func recordIDs(of _: RecipientID, in _: OrganizationID) async throws -> [ConsentRecordID] { throw Outage() }
    func records(_: [ConsentRecordID], in _: OrganizationID) async throws -> [ConsentRecord] { throw Outage() }
    func history(
        of _: RecipientID, after _: ConsentRecord?, limit _: Int, in _: OrganizationID
    ) async throws -> [ConsentRecord] { throw Outage() }
    func historyWithoutEvidence(
        of _: RecipientID, after _: ConsentRecord?, limit _: Int, in _: OrganizationID
    ) async throws -> [ConsentRecord] { throw Outage() }
    func record(_: ConsentRecordID, in _: OrganizationID) async throws -> ConsentRecord? { throw Outage() }
    func items(
        after _: ConsentFeedPosition?, limit _: Int, in _: OrganizationID
    ) async throws -> [ConsentFeedItem]? { throw Outage() }
    func organization(of _: ConsentRecordID) async throws -> OrganizationID? { throw Outage() }
    func firstName(of _: RecipientID, in _: OrganizationID) async throws -> RecipientID? { throw Outage() }
    func erase(
        _: RecipientID, in _: OrganizationID, whenDurable _: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts { throw Outage() }
    func clearErased() async throws { throw Outage() }
}

/// Organizations in memory, with the enforcement that applied when.
final class FakeOrganizationStore: OrganizationStore {
    private let histories: [OrganizationID: EnforcementHistory]
    /// Of every organization; without it none can be read.
    private let retention: Retention?

    init(_ histories: [OrganizationID: EnforcementHistory], retention: Retention? = nil) {
        (self.histories, self.retention) = (histories, retention)
    }

    func quotas() async throws -> [OrganizationID: Quotas] { throw Outage() }

    convenience init(
        _ organization: OrganizationID, _ changes: EnforcementHistory.Change..., retention: Retention? = nil
    ) {
        self.init(EnforcementHistory(changes).map { [organization: $0] } ?? [:], retention: retention)
    }

    func enforcementHistory(of organization: OrganizationID) async throws -> EnforcementHistory? {
        histories[organization]
    }

    func create(_: Organization, firstKey _: NewAPIKey, at _: Timestamp) async throws -> APIKey? {
        throw Outage()
    }
    func organization(_ id: OrganizationID) async throws -> Organization? {
        guard let retention else { throw Outage() }
        return Organization(id: id, name: "A", enforcement: .restrictive, retention: retention)
    }
    func all() async throws -> [Organization] { throw Outage() }
    func organizations(after _: OrganizationID?, limit _: Int) async throws -> OrganizationPage? { throw Outage() }
    func change(_: OrganizationID, by _: OrganizationChange, at _: Timestamp) async throws -> Organization? {
        throw Outage()
    }
    func addKey(
        _: NewAPIKey, to _: OrganizationID, by _: APIKeyID?, at _: Timestamp
    ) async throws -> APIKey? { throw Outage() }
    func keys(of _: OrganizationID) async throws -> [APIKey] { throw Outage() }
    func keys(of _: OrganizationID, after _: APIKeyID?, limit _: Int) async throws -> [APIKey] { throw Outage() }
    func removeKey(_: APIKeyID, of _: OrganizationID) async throws -> Bool { throw Outage() }
    func noteUses(_: [APIKeyID: Timestamp]) async throws { throw Outage() }
    func key(with _: APIKeyDigest) async throws -> APIKey? { throw Outage() }
}
