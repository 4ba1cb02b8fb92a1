/// What an event loop needs to record reports of devices.
struct ReportRecording {
    /// Shared by all event loops and the routes.
    let deduplicator: ReportDeduplicator
    let counters: DeviceReportCounters

    init(
        deduplicator: ReportDeduplicator = ReportDeduplicator(),
        counters: DeviceReportCounters = DeviceReportCounters()
    ) {
        self.deduplicator = deduplicator
        self.counters = counters
    }
}
