import Counting
import Identifiers

/// Since when which ledgers have entries that no checkpoint covers.
struct SigningLag: Sendable {
    private var since: [OrganizationID: ContinuousClock.Instant] = [:]

    /// The ledger has grown. Growth while an earlier one is unsigned changes nothing.
    mutating func begin(_ organization: OrganizationID, at moment: ContinuousClock.Instant) {
        since[organization] = since[organization] ?? moment
    }

    /// A checkpoint covers the whole ledger.
    mutating func end(_ organization: OrganizationID) { since[organization] = nil }

    /// For how long the oldest of them has waited.
    func longest(at moment: ContinuousClock.Instant) -> Duration { since.values.min().map { moment - $0 } ?? .zero }

    func metric(at moment: ContinuousClock.Instant) -> MetricFamily {
        let (seconds, attoseconds) = longest(at: moment).components
        return .gauge(
            "consentlink_checkpoint_lag_seconds",
            "How long the oldest entry of a ledger has waited for a signed checkpoint that covers it.",
            Double(seconds) + Double(attoseconds) / 1e18)
    }
}
