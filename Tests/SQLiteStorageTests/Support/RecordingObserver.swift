import Consent
import Identifiers
import Messages
import Synchronization

/// Writes down what it is told.
final class RecordingObserver: ConsentObserver, MessageObserver {
    enum Event: Hashable {
        case changed([ConsentChange], OrganizationID)
        case erased(RecipientReference, OrganizationID)
        case reloaded(Set<KnownEnd>, Enforcement, OrganizationID)
    }

    private let guarded = Mutex<[Event]>([])
    private let guardedMessages = Mutex<[MessageID: StoredMessage]>([:])
    private let guardedPrivacyControl = Mutex<[Bool]>([])

    /// Whether GPC is honoured, in the order in which it was told.
    var privacyControl: [Bool] { guardedPrivacyControl.withLock { $0 } }

    var events: [Event] { guarded.withLock { $0 } }

    /// Messages as they were told last.
    var messages: [MessageID: StoredMessage] { guardedMessages.withLock { $0 } }

    func messageChanged(_ message: StoredMessage) { guardedMessages.withLock { $0[message.id] = message } }

    /// What was told since the last time.
    func take() -> [Event] {
        guarded.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Everything about single people since the last time.
    func takeChanges() -> [ConsentChange] {
        take().flatMap { event -> [ConsentChange] in
            if case .changed(let changes, _) = event { changes } else { [] }
        }
    }

    func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID) {
        note(.changed(changes, organization))
    }

    func recipientErased(_ reference: RecipientReference, in organization: OrganizationID) {
        note(.erased(reference, organization))
    }

    func recordingReloaded(
        _ ends: [Purpose: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID
    ) {
        let known = ends.flatMap { purpose, ends in
            ends.map { KnownEnd(reference: $0.reference, purpose: purpose, end: $0.end) }
        }
        note(.reloaded(Set(known), enforcement, organization))
    }

    func privacyControlChanged(isHonored: Bool, in organization: OrganizationID) {
        guardedPrivacyControl.withLock { $0.append(isHonored) }
    }

    private func note(_ event: Event) { guarded.withLock { $0.append(event) } }
}

/// One end of recording, with the purpose that it was told under.
struct KnownEnd: Hashable {
    let reference: RecipientReference
    let purpose: Purpose
    let end: Timestamp
}
