package import Identifiers

/// A verdict about one recipient of one message, not stored yet.
package struct Decision: Hashable, Sendable {
    package let recipient: RecipientID
    /// What it is about; `nil` for clicks and opens together.
    package let activity: TrackedActivity?
    package let verdict: Verdict

    package init(recipient: RecipientID, activity: TrackedActivity? = nil, verdict: Verdict) {
        self.recipient = recipient
        self.activity = activity
        self.verdict = verdict
    }
}

/// A decision that is on disk. Only a ``DecisionLog`` makes one, after its commit: its holder may let out the payload
/// it governs, and a renderer asks for nothing less.
package struct RecordedDecision: Hashable, Sendable {
    /// What the decision lets a payload say about its recipient.
    package enum Permit: Hashable, Sendable {
        case tracked(RecipientReference)
        case untracked
    }

    package let id: DecisionID
    package let reason: DecisionReason
    package let permit: Permit

    /// - Parameters:
    ///   - reference: the recipient; `nil` when nothing that identifies them is stored.
    /// - Returns: `nil` for a decision to track without a recipient, which no log may store.
    package init?(stored id: DecisionID, reason: DecisionReason, reference: RecipientReference?) {
        switch (reason.outcome, reference) {
        case (.tracked, let reference?): permit = .tracked(reference)
        case (.tracked, nil): return nil
        case (.untracked, _): permit = .untracked
        }
        self.id = id
        self.reason = reason
    }

    /// The same decision, which permits nothing any more that identifies its recipient.
    package var withoutPermit: RecordedDecision { RecordedDecision(forgotten: id, reason: reason) }

    /// A decision about a recipient who was erased since: it stands, and permits nothing that identifies them.
    package init(forgotten id: DecisionID, reason: DecisionReason) {
        self.id = id
        self.reason = reason
        permit = .untracked
    }
}
