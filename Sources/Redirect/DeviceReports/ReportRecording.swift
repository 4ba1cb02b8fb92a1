package import Formats

/// What an event loop needs to record reports of devices.
struct ReportRecording {
    /// Shared by all event loops and the routes.
    let deduplicator: ReportDeduplicator
    let counters: DeviceReportCounters
    let times: (any AnsweredReportTimes)?

    init(
        deduplicator: ReportDeduplicator = ReportDeduplicator(),
        counters: DeviceReportCounters = DeviceReportCounters(),
        times: (any AnsweredReportTimes)? = nil
    ) {
        self.deduplicator = deduplicator
        self.counters = counters
        self.times = times
    }
}

/// Counts and times reports that are answered before the router, as the router's requests are. Called on any event
/// loop.
package protocol AnsweredReportTimes: Sendable {
    /// A report waits for its answer.
    func began(_ route: ReportRoute)
    /// A report that waited waits no longer, whatever its outcome.
    func ended(_ route: ReportRoute)
    /// A report was taken, and the answer to its app says so.
    func answered(_ route: ReportRoute, nanoseconds: Int64)
}

/// The route that the router would have used for a report.
package struct ReportRoute: Hashable, Sendable {
    package let endpoint: DeviceEndpoint
    /// `true` for `GET`, `false` for `POST`.
    package let isGet: Bool
}
