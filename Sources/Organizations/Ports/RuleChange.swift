package import Consent
package import Identifiers
package import Messages

/// One change of what a click must know.
package enum RuleChange: Hashable, Sendable {
    case consent([ConsentChange], OrganizationID)
    case erasure(RecipientReference, OrganizationID)
    /// The enforcement, and by purpose all ends of recording under it.
    case recording([Purpose: [RecordingEnd]], Enforcement, OrganizationID)
    case privacyControl(isHonored: Bool, OrganizationID)
    /// The message is new, its links were switched off or on, or links were added to it. It may have those alone that were
    /// added: none is ever taken away.
    case message(StoredMessage)

    /// Whether anything that was recorded before it is not recorded after it. Whoever asked for such a change is not
    /// answered before every node obeys it.
    package var endsRecording: Bool {
        switch self {
        case .consent(let changes, _): changes.contains { $0.status.endsTracking }
        case .erasure: true
        case .recording, .privacyControl: true
        case .message(let message): message.isDisabled
        }
    }

    /// Tells the observer that it concerns.
    package func tell(_ consent: any ConsentObserver, _ messages: any MessageObserver) {
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

/// Is told of each change by a storage of the same process, so that it need not poll.
package protocol RuleObserver: Sendable {
    /// Is called after the commit, in the order of the commits, and before the call that caused the change returns.
    /// - Parameters:
    ///   - previous: the cursor before the change.
    ///   - cursor: the cursor after it.
    /// - Returns: whether the change is obeyed now; otherwise the feed must be asked.
    @discardableResult
    func ruleChanged(_ change: RuleChange, after previous: RuleCursor, at cursor: RuleCursor) -> Bool
}
