import Counting
import Organizations

/// How this node stands to the others.
struct NodeMetrics: MetricSource {
    /// `nil` for a service that shares its storage with no other.
    let shared: (any SharedStorage)?

    var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_node_staleness_seconds",
                "How old what the node knows of withdrawals may be; it is fresh below 1. 0 without other nodes.",
                shared.map { $0.staleness.map { $0 / .seconds(1) } ?? .infinity } ?? 0),
            .gauge(
                "consentlink_fence_waiting",
                "Changes that are not answered yet because another node may not know them.",
                Double(shared?.waitingAtFence ?? 0)),
        ]
    }
}
