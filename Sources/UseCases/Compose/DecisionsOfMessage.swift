package import Consent
package import Identifiers

/// The stored decisions about some recipients of one message, in the order of the recipients.
package struct DecisionsOfMessage: Sendable {
    /// As they were stored: one for each recipient, or one about clicks followed by one about opens.
    package let recorded: [RecordedDecision]
    /// Why those that allowed tracking no longer do, by their index in `recorded`; for a repeated request.
    package let ended: [Int: DecisionReason]
    private let areApart: Bool

    /// - Parameter areApart: whether clicks and opens were decided apart.
    init(_ recorded: [RecordedDecision], ended: [Int: DecisionReason] = [:], areApart: Bool) {
        self.recorded = recorded
        self.ended = ended
        self.areApart = areApart
    }

    var first: RecordedDecision? { recorded.first }

    /// What was decided about the recipient at `index`, as it permits now.
    package subscript(index: Int) -> RecipientDecisions {
        areApart
            ? .apart(clicks: recorded[2 * index], opens: recorded[2 * index + 1]) : .together(recorded[index])
    }

    /// Why the recipient at `index`, who was tracked, is no longer.
    package func ended(at index: Int) -> PerActivity<DecisionReason?> {
        areApart ? .apart(clicks: ended[2 * index], opens: ended[2 * index + 1]) : .together(ended[index])
    }
}
