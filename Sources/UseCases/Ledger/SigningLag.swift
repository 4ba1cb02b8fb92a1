import Counting
import Identifiers

/// The ledgers with entries that no checkpoint covers, and since when.
struct SigningLag: Sendable {
    private var since: [OrganizationID: ContinuousClock.Instant] = [:]

    /// Notes that the ledger has grown. Growth while older entries are unsigned changes nothing.
    mutating func begin(_ organization: OrganizationID, at instant: ContinuousClock.Instant) {
        since[organization] = since[organization] ?? instant
    }

    /// Notes that a checkpoint covers the whole ledger.
    mutating func end(_ organization: OrganizationID) { since[organization] = nil }

    /// How long the oldest unsigned entry has waited.
    func longest(at instant: ContinuousClock.Instant) -> Duration { since.values.min().map { instant - $0 } ?? .zero }

    func metric(at instant: ContinuousClock.Instant) -> MetricFamily {
        let (seconds, attoseconds) = longest(at: instant).components
        return .gauge(
            "consentlink_checkpoint_lag_seconds",
            "Seconds for which the oldest entry of a ledger has waited for a signed checkpoint that covers it.",
            Double(seconds) + Double(attoseconds) / 1e18)
    }
}
