import Consent
package import Counting

/// Counts the decisions that are durable, and the recipients of previews, by reason.
package struct DecisionMetrics: MetricSource {
    private let decided = CaseCounters<DecisionReason>()
    private let previewed = CaseCounters<DecisionReason>()

    package init() {}

    func count(_ recorded: [RecordedDecision]) { decided.add(each: recorded.lazy.map(\.reason)) }

    /// Counts the decisions that would have been made about the recipients of a preview.
    func countPreviewed(_ reasons: [DecisionReason]) { previewed.add(each: reasons) }

    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_decisions_total", "Decisions whether to track a recipient, by outcome and reason.",
                Self.values(of: decided)),
            .counters(
                "consentlink_previews_total",
                "Recipients of previews, by the outcome and reason that a decision would have.",
                Self.values(of: previewed)),
        ]
    }

    private static func values(of counters: CaseCounters<DecisionReason>) -> [(MetricFamily.Labels, UInt64)] {
        counters.counts.map { reason, count in
            ([.init("outcome", reason.outcome.rawValue), .init("reason", reason.rawValue)], count)
        }
    }
}
