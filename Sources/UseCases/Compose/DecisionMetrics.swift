import Consent
package import Counting

/// Counts the decisions that are durable, and the recipients of previews, by reason.
package struct DecisionMetrics: MetricSource {
    private let decided = ReasonCounters()
    private let previewed = ReasonCounters()

    package init() {}

    func count(_ recorded: [RecordedDecision]) { for decision in recorded { decided.count(decision.reason) } }

    /// Counts the decisions that would have been made about the recipients of a preview.
    func countPreviewed(_ reasons: [DecisionReason]) { for reason in reasons { previewed.count(reason) } }

    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_decisions_total", "Decisions whether to track a recipient, by outcome and reason.",
                decided.values),
            .counters(
                "consentlink_previews_total",
                "Recipients of previews, by the outcome and reason that a decision would have.", previewed.values),
        ]
    }
}

/// One counter for each reason.
private struct ReasonCounters {
    private static let indices = Dictionary(
        uniqueKeysWithValues: DecisionReason.allCases.enumerated().map { ($1, $0) })

    private let counters = CounterArray(count: DecisionReason.allCases.count)

    func count(_ reason: DecisionReason) { Self.indices[reason].map { counters.add(at: $0) } }

    var values: [(MetricFamily.Labels, UInt64)] {
        DecisionReason.allCases.enumerated().map { index, reason in
            (
                [.init("outcome", reason.outcome.rawValue), .init("reason", reason.rawValue)],
                counters[index]
            )
        }
    }
}
