package import Consent
package import Identifiers
package import Messages
package import StoragePorts
import Synchronization

/// Writes down what it is told.
package final class RecordingObserver: ConsentObserver, MessageObserver, RuleObserver {
    package enum Event: Hashable {
        case changed([ConsentChange], OrganizationID)
        case erased(RecipientReference, OrganizationID)
        case reloaded(Set<KnownEnd>, Enforcement, OrganizationID)
    }

    private let obeys: Bool

    /// - Parameter obeys: whether it says of each change that it obeys it. One that reads the feed besides does not.
    package init(obeys: Bool = true) { self.obeys = obeys }

    private let guarded = Mutex<[Event]>([])
    private let guardedMessages = Mutex<[MessageID: StoredMessage]>([:])
    private let guardedPrivacyControl = Mutex<[Bool]>([])

    /// Whether GPC is honoured, in the order in which it was told.
    package var privacyControl: [Bool] { guardedPrivacyControl.withLock { $0 } }

    package var events: [Event] { guarded.withLock { $0 } }

    /// Messages as they were told last.
    package var messages: [MessageID: StoredMessage] { guardedMessages.withLock { $0 } }

    package func messageChanged(_ message: StoredMessage) { guardedMessages.withLock { $0[message.id] = message } }

    package func allMessagesChanged() { guardedMessages.withLock { $0 = [:] } }

    package func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool {
        change.notify(self, self)
        return obeys
    }

    /// What was told since the last time.
    package func take() -> [Event] {
        guarded.withLock { events in
            defer { events = [] }
            return events
        }
    }

    /// Everything about single people since the last time.
    package func takeChanges() -> [ConsentChange] {
        take().flatMap { event -> [ConsentChange] in
            if case .changed(let changes, _) = event { changes } else { [] }
        }
    }

    package func consentChanged(_ changes: [ConsentChange], in organization: OrganizationID) {
        note(.changed(changes, organization))
    }

    package func recipientErased(_ reference: RecipientReference, in organization: OrganizationID) {
        note(.erased(reference, organization))
    }

    package func recordingReloaded(
        _ ends: [RecordingScope: [RecordingEnd]], enforcement: Enforcement, in organization: OrganizationID
    ) {
        let known = ends.flatMap { scope, ends in
            ends.map { KnownEnd(reference: $0.reference, scope: scope, end: $0.end) }
        }
        note(.reloaded(Set(known), enforcement, organization))
    }

    package func historyReplaced() {}

    package func privacyControlChanged(isHonored: Bool, in organization: OrganizationID) {
        guardedPrivacyControl.withLock { $0.append(isHonored) }
    }

    private func note(_ event: Event) { guarded.withLock { $0.append(event) } }
}

/// One end of recording, with what it was told about.
package struct KnownEnd: Hashable {
    package let reference: RecipientReference
    package let scope: RecordingScope
    package let end: Timestamp

    package init(reference: RecipientReference, scope: RecordingScope, end: Timestamp) {
        self.reference = reference
        self.scope = scope
        self.end = end
    }

    package init(reference: RecipientReference, purpose: Purpose, end: Timestamp) {
        self.init(reference: reference, scope: .purpose(purpose), end: end)
    }
}
