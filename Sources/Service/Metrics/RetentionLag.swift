import Counting
import Identifiers
import Synchronization

/// How long the oldest row has been stored past the end of its retention.
///
/// It keeps the time when each organization's next row is due, not a lag: so the gauge grows if deletion stops for any
/// reason.
final class RetentionLag: MetricSource {
    /// Guards the table. An organization without an entry has no row that will be due.
    private let due = Mutex([OrganizationID: Timestamp]())
    private let now: @Sendable () -> Timestamp

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    /// - Parameter instant: when the organization's oldest row is due; nil if none is.
    func set(_ organization: OrganizationID, nextDue instant: Timestamp?) {
        due.withLock { $0[organization] = instant }
    }

    /// Called when another node deletes, and counts.
    func clear() { due.withLock { $0 = [:] } }

    private var milliseconds: Int64 {
        guard let oldest = due.withLock({ $0.values.min() }) else { return 0 }
        return max(0, now().millisecondsSince1970 - oldest.millisecondsSince1970)
    }

    var metrics: [MetricFamily] {
        [
            .gauge(
                "consentlink_retention_lag_seconds",
                "Seconds for which the oldest row has been stored past the end of its retention.",
                Double(milliseconds) / 1000)
        ]
    }
}
