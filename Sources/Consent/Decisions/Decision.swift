package import Identifiers

/// A verdict about one recipient of one message that is not stored yet.
package struct Decision: Hashable, Sendable {
    package let recipient: RecipientID
    /// The activity; `nil` for clicks and opens together.
    package let activity: TrackedActivity?
    package let verdict: ConsentVerdict

    package init(recipient: RecipientID, activity: TrackedActivity? = nil, verdict: ConsentVerdict) {
        self.recipient = recipient
        self.activity = activity
        self.verdict = verdict
    }
}

/// A durable decision. Only a ``DecisionLog`` makes one, after its commit. Its holder may send the payload, and
/// renderers require one.
package struct RecordedDecision: Hashable, Sendable {
    /// What the decision permits a payload to contain about its recipient.
    package enum Permit: Hashable, Sendable {
        case tracked(RecipientReference)
        case untracked
    }

    package let id: DecisionID
    package let reason: DecisionReason
    package let permit: Permit

    /// - Parameters:
    ///   - reference: the recipient; `nil` if nothing that identifies them is stored.
    /// - Returns: `nil` for a decision to track without a recipient, which a log must not store.
    package init?(stored id: DecisionID, reason: DecisionReason, reference: RecipientReference?) {
        switch (reason.outcome, reference) {
        case (.tracked, let reference?): permit = .tracked(reference)
        case (.tracked, nil): return nil
        case (.untracked, _): permit = .untracked
        }
        self.id = id
        self.reason = reason
    }

    /// The same decision, without the permit to identify its recipient.
    package var withoutPermit: RecordedDecision { RecordedDecision(forgotten: id, reason: reason) }

    /// A decision about a recipient who was erased since: it stays, but does not permit identifying them.
    package init(forgotten id: DecisionID, reason: DecisionReason) {
        self.id = id
        self.reason = reason
        permit = .untracked
    }
}
