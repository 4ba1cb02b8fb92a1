package import Counting

/// The result of `/readyz`, as a number; on a node that serves only links, the result of `/readyz?for=links`.
package struct ReadinessMetrics: MetricSource {
    let health: Health

    package init(health: Health) { self.health = health }

    package var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_ready", "1 while the service can do all it is for, as /readyz says.",
                health.reasonsNotReady.isEmpty ? 1 : 0)
        ]
    }
}
