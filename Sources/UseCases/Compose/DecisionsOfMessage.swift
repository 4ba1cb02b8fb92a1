package import Consent
package import Identifiers

/// The stored decisions about some recipients of one message, in the order of the recipients.
package struct DecisionsOfMessage: Sendable {
    /// The stored decisions: one for each recipient, or one about clicks followed by one about opens.
    package let recorded: [RecordedDecision]
    /// The reasons why decisions no longer permit tracking, by their index in `recorded`; for a repeated request.
    package let ended: [Int: DecisionReason]
    private let areApart: Bool

    /// - Parameter areApart: whether there are separate decisions about clicks and opens.
    init(_ recorded: [RecordedDecision], ended: [Int: DecisionReason] = [:], areApart: Bool) {
        self.recorded = recorded
        self.ended = ended
        self.areApart = areApart
    }

    var first: RecordedDecision? { recorded.first }

    /// The decisions about the recipient at `index`, with what they permit now.
    package subscript(index: Int) -> RecipientDecisions {
        areApart
            ? .apart(clicks: recorded[2 * index], opens: recorded[2 * index + 1]) : .together(recorded[index])
    }

    /// Why the recipient at `index`, who was tracked, is no longer tracked.
    package func ended(at index: Int) -> PerActivity<DecisionReason?> {
        areApart ? .apart(clicks: ended[2 * index], opens: ended[2 * index + 1]) : .together(ended[index])
    }
}
