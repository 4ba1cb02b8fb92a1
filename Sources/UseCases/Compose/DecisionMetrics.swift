import Consent
package import Counting

/// Counts the decisions that are durable, by reason.
package struct DecisionMetrics: MetricSource {
    private let counters = CounterArray(count: DecisionReason.allCases.count)
    private static let indices = Dictionary(
        uniqueKeysWithValues: DecisionReason.allCases.enumerated().map { ($1, $0) })

    package init() {}

    func count(_ recorded: [RecordedDecision]) {
        for decision in recorded { Self.indices[decision.reason].map { counters.add(at: $0) } }
    }

    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_decisions_total", "Decisions whether to track a recipient, by outcome and reason.",
                DecisionReason.allCases.enumerated().map { index, reason in
                    (
                        [.init("outcome", reason.outcome.rawValue), .init("reason", reason.rawValue)],
                        counters[index]
                    )
                })
        ]
    }
}
