package import Consent
package import Identifiers
package import Messages

/// One change of the rules for clicks.
package enum RuleChange: Hashable, Sendable {
    case consent([ConsentChange], OrganizationID)
    case erasure(RecipientReference, OrganizationID)
    /// The enforcement, and all ends of recording under it.
    case recording([RecordingScope: [RecordingEnd]], Enforcement, OrganizationID)
    case privacyControl(isHonored: Bool, OrganizationID)
    /// The message is new, its links were disabled or enabled, or links were added to it. It may have only the added
    /// links, because links are never removed.
    case message(StoredMessage)

    /// Whether something that was recorded before it may no longer be recorded after it. The caller of such a change
    /// gets its answer only when every node obeys the change.
    package var endsRecording: Bool {
        switch self {
        case .consent(let changes, _): changes.contains(where: \.mayEndRecording)
        case .erasure: true
        case .recording, .privacyControl: true
        case .message(let message): message.isDisabled
        }
    }

    /// Informs the observer that the change is for.
    package func notify(_ consent: any ConsentObserver, _ messages: any MessageObserver) {
        switch self {
        case .consent(let changes, let organization): consent.consentChanged(changes, in: organization)
        case .erasure(let reference, let organization): consent.recipientErased(reference, in: organization)
        case .recording(let ends, let enforcement, let organization):
            consent.recordingReloaded(ends, enforcement: enforcement, in: organization)
        case .privacyControl(let isHonored, let organization):
            consent.privacyControlChanged(isHonored: isHonored, in: organization)
        case .message(let message): messages.messageChanged(message)
        }
    }
}

extension ConsentChange {
    /// Consent that was given with an end may have replaced one with a later end, or with none. Whether its end counts
    /// is up to the enforcement.
    fileprivate var mayEndRecording: Bool {
        if case .inForce(let consent) = status, consent.validUntil != nil { return true }
        return status.endsTracking
    }
}

/// A storage of the same process informs it of each change, so that it need not poll.
package protocol RuleObserver: Sendable {
    /// Called after the commit, in the order of the commits, and before the call that caused the change returns.
    /// - Parameters:
    ///   - previous: the cursor before the change.
    ///   - cursor: the cursor after it.
    /// - Returns: whether the change is obeyed now; otherwise the feed must be read.
    @discardableResult
    func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool
}
