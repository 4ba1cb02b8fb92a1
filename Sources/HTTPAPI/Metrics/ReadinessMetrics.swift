package import Counting

/// The result of `/readyz`, as a number; on a node that serves only links, the result of `/readyz?for=links`.
package struct ReadinessMetrics: MetricSource {
    let health: Health

    package init(health: Health) { self.health = health }

    package var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_ready", "1 while the service is ready, as /readyz says; else 0.",
                health.reasonsNotReady.isEmpty ? 1 : 0)
        ]
    }
}
