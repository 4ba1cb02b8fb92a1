import Organizations
import Testing

@Suite struct RetentionChangeTests {
    private static let kept = Retention(interactionsDays: 30, decisionsDays: 400)

    @Test(
        "what is not said stays as it is, and only the word makes it for ever",
        arguments: [
            (RetentionChange(), kept),
            (RetentionChange(interactions: .days(7)), Retention(interactionsDays: 7, decisionsDays: 400)),
            (RetentionChange(decisions: .days(7)), Retention(interactionsDays: 30, decisionsDays: 7)),
            (RetentionChange(interactions: .forever), Retention(interactionsDays: nil, decisionsDays: 400)),
            (RetentionChange(interactions: .forever, decisions: .forever), .forever),
        ] as [(RetentionChange, Retention)])
    func applied(_ change: RetentionChange, _ expected: Retention) {
        #expect(change.applied(to: Self.kept) == expected)
    }

    @Test("silence keeps interactions for 25 months and decisions for five years")
    func standard() {
        #expect(Retention.standard == Retention(interactionsDays: 760, decisionsDays: 1825))
        #expect(RetentionChange(decisions: .forever).applied(to: .standard).interactions == .days(760))
    }
}
