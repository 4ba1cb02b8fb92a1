package import Identifiers

/// A stored decision as an auditor reads it.
package struct DecisionEntry: Hashable, Sendable {
    package let id: DecisionID
    /// `nil` once the recipient was erased.
    package let recipient: RecipientID?
    package let message: MessageID
    package let purpose: Purpose
    /// What it is about; `nil` for clicks and opens together.
    package let activity: TrackedActivity?
    package let reason: DecisionReason
    /// The enforcement that applied.
    package let enforcement: Enforcement
    /// The consent record it rests on; `nil` where there was none, or once the recipient was erased.
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

/// Which decisions are asked for. A filter that is `nil` lets everything through.
package struct DecisionQuery: Hashable, Sendable {
    package var recipient: RecipientID?
    package var message: MessageID?
    package var outcome: DecisionOutcome?
    package var reason: DecisionReason?
    /// Included.
    package var from: Timestamp?
    /// Not included.
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
