import Counting
import Identifiers

/// Since when which ledgers have entries that no checkpoint covers.
struct SigningLag: Sendable {
    private var since: [OrganizationID: ContinuousClock.Instant] = [:]

    /// The ledger has grown. Growth while an earlier one is unsigned changes nothing.
    mutating func begin(_ organization: OrganizationID, at instant: ContinuousClock.Instant) {
        since[organization] = since[organization] ?? instant
    }

    /// A checkpoint covers the whole ledger.
    mutating func end(_ organization: OrganizationID) { since[organization] = nil }

    /// For how long the oldest of them has waited.
    func longest(at instant: ContinuousClock.Instant) -> Duration { since.values.min().map { instant - $0 } ?? .zero }

    func metric(at instant: ContinuousClock.Instant) -> MetricFamily {
        let (seconds, attoseconds) = longest(at: instant).components
        return .gauge(
            "consentlink_checkpoint_lag_seconds",
            "How long the oldest entry of a ledger has waited for a signed checkpoint that covers it.",
            Double(seconds) + Double(attoseconds) / 1e18)
    }
}
