package import Counting

/// What `/readyz` says, as a number; of a node that serves links alone what `/readyz?for=links` says.
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
