import Counting

/// What `/readyz` says, as a number.
struct ReadinessMetrics: MetricSource {
    let health: Health

    var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_ready", "1 while the service can do all it is for, as /readyz says.",
                health.impediments().isEmpty ? 1 : 0)
        ]
    }
}
