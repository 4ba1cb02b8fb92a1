package import Counting

/// The outcome of a device's report.
package enum DeviceReportOutcome: Int, Counted {
    /// Recorded, or a repeat of one that is.
    case recorded
    /// Genuine, and rightly not recorded.
    case notPermitted
    /// The tracking ID is not of a message of this service or of that organization.
    case foreign
    /// Could not be made durable; the device may try again.
    case unavailable
    /// Cannot be read as a report.
    case invalid
}

/// Counts reports of devices. Event loops share no counter.
package struct DeviceReportCounters: Sendable {
    fileprivate let outcomes = CaseCounters<DeviceReportOutcome>()

    init() {}

    package func count(_ outcome: DeviceReportOutcome) { outcomes.add(1, outcome) }
}

/// The sums of the counters of all event loops, and of the routes.
package struct DeviceReportMetrics: MetricSource {
    let counters: [DeviceReportCounters]

    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_device_reports_total", "Reports of devices, by outcome.", by: "outcome",
                counters.map(\.outcomes))
        ]
    }
}
