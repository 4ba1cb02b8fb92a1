package import Identifiers

/// A stored decision as an auditor reads it.
package struct DecisionEntry: Hashable, Sendable {
    package let id: DecisionID
    /// `nil` after the recipient was erased.
    package let recipient: RecipientID?
    package let message: MessageID
    package let purpose: Purpose
    /// The activity; `nil` for clicks and opens together.
    package let activity: TrackedActivity?
    package let reason: DecisionReason
    /// The enforcement that applied.
    package let enforcement: Enforcement
    /// The consent record on which it rests; `nil` if there was none, or after the recipient was erased.
    package let consent: ConsentRecordID?

    package var decidedAt: Timestamp { id.number.timestamp }

    package init(
        id: DecisionID, recipient: RecipientID?, message: MessageID, purpose: Purpose,
        activity: TrackedActivity? = nil, reason: DecisionReason, enforcement: Enforcement, consent: ConsentRecordID?
    ) {
        self.id = id
        self.recipient = recipient
        self.message = message
        self.purpose = purpose
        self.activity = activity
        self.reason = reason
        self.enforcement = enforcement
        self.consent = consent
    }
}

/// A query for decisions. A filter of `nil` matches all.
package struct DecisionQuery: Hashable, Sendable {
    package var recipient: RecipientID?
    package var message: MessageID?
    package var outcome: DecisionOutcome?
    package var reason: DecisionReason?
    /// Inclusive.
    package var from: Timestamp?
    /// Exclusive.
    package var to: Timestamp?
    /// The last one that the reader has.
    package var after: DecisionID?

    package init(
        recipient: RecipientID? = nil, message: MessageID? = nil, outcome: DecisionOutcome? = nil,
        reason: DecisionReason? = nil, from: Timestamp? = nil, to: Timestamp? = nil, after: DecisionID? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.outcome = outcome
        self.reason = reason
        self.from = from
        self.to = to
        self.after = after
    }
}
