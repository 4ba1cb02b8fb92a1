package import Counting

extension SpoolWriter: MetricSource {
    package var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_spool_depth", "Clicks and device reports in the spool that are not yet in the store.",
                Double(counters.currentDepth)),
            .gauge(
                "consentlink_spool_parked",
                "Clicks and device reports that are set aside until their organization's ledger is whole again.",
                Double(counters.parkedCount)),
            .histogram(
                "consentlink_spool_commit_seconds", "Seconds that one commit of the spool took.",
                counters.commitSeconds.reading),
            .counter(
                "consentlink_interactions_stored_total",
                "Clicks and device reports that the drain brought into the store.",
                UInt64(counters.storedCount)),
            .counters(
                "consentlink_clicks_dropped_total",
                "Clicks and device reports that the drain did not store.",
                [
                    ([.init("reason", "consentEnded")], UInt64(counters.droppedCount)),
                    ([.init("reason", "retentionEnded")], UInt64(counters.pastRetentionCount)),
                ]),
        ]
    }
}

extension SpoolWriter {
    /// The durations of all commits since the start.
    package var commitTimes: HistogramReading { counters.commitSeconds.reading }
}
