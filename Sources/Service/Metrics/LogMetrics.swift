import Counting

/// What the log of this process could not keep.
struct LogMetrics: MetricSource {
    var metrics: [MetricFamily] {
        [
            .total(
                "consentlink_log_lines_lost_total", "Lines of the log that were lost, because nothing took them.",
                Double(LogOutput.standardError.lostCount))
        ]
    }
}
