package import Identifiers

/// How long an organization keeps interactions, and in its decisions the recipient and the consent record.
package struct Retention: Hashable, Sendable {
    package static let allowedDays = 1...36_500
    /// The default, so that no data is kept for ever by oversight. 25 months allow comparing two years, with a month to
    /// do it; for five years, proof may be required.
    package static let standard = Retention(interactionsDays: 760, decisionsDays: 1825)
    package static let forever = Retention(interactionsDays: nil, decisionsDays: nil)

    /// Days of 24 hours; `nil` for ever.
    package let interactionsDays: Int?
    package let decisionsDays: Int?

    package init(interactionsDays: Int?, decisionsDays: Int?) {
        self.interactionsDays = interactionsDays
        self.decisionsDays = decisionsDays
    }

    /// Interactions that were recorded before this time are no longer kept; `nil` if all are kept.
    package func interactionsKept(at now: Timestamp) -> Timestamp? { interactionsDays.map { now.before(days: $0) } }

    /// Decisions that were made before this time no longer name their recipient; `nil` if all do.
    package func decisionsKept(at now: Timestamp) -> Timestamp? { decisionsDays.map { now.before(days: $0) } }
}

extension Retention {
    /// The time at which an interaction that was recorded at `instant` is no longer kept; `nil` for never.
    package func endOfInteraction(at instant: Timestamp) -> Timestamp? {
        interactionsDays.map { instant.after(days: $0) }
    }

    /// The time at which a decision that was made at `instant` no longer names its recipient; `nil` for never.
    package func endOfDecision(at instant: Timestamp) -> Timestamp? { decisionsDays.map { instant.after(days: $0) } }
}

extension Timestamp {
    fileprivate func after(days: Int) -> Timestamp { advanced(byDays: days) }

    fileprivate func before(days: Int) -> Timestamp { advanced(byDays: -max(days, -Int.max)) }
}
