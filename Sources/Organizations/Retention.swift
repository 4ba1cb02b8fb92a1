package import Identifiers

/// How long an organization keeps what its recipients did, and whom and what its decisions were about.
package struct Retention: Hashable, Sendable {
    package static let allowedDays = 1...36_500
    /// What silence means: no data is kept for ever because nobody thought of it. 25 months are two years of comparison
    /// and a month to make it; five years are how long proof is asked for.
    package static let standard = Retention(interactionsDays: 760, decisionsDays: 1825)
    package static let forever = Retention(interactionsDays: nil, decisionsDays: nil)

    /// Days of 24 hours; `nil` for ever.
    package let interactionsDays: Int?
    package let decisionsDays: Int?

    package init(interactionsDays: Int?, decisionsDays: Int?) {
        self.interactionsDays = interactionsDays
        self.decisionsDays = decisionsDays
    }

    /// What was recorded before is no longer kept; `nil` where everything is.
    package func interactionsKept(at now: Timestamp) -> Timestamp? { interactionsDays.map { now.before(days: $0) } }

    /// What was decided before no longer says about whom; `nil` where every decision does.
    package func decisionsKept(at now: Timestamp) -> Timestamp? { decisionsDays.map { now.before(days: $0) } }
}

extension Retention {
    /// When what was recorded at `instant` is no longer kept; `nil` for never.
    package func endOfInteraction(at instant: Timestamp) -> Timestamp? {
        interactionsDays.map { instant.after(days: $0) }
    }

    /// When what was decided at `instant` no longer says about whom; `nil` for never.
    package func endOfDecision(at instant: Timestamp) -> Timestamp? { decisionsDays.map { instant.after(days: $0) } }
}

extension Timestamp {
    fileprivate func after(days: Int) -> Timestamp { advanced(byDays: days) }

    fileprivate func before(days: Int) -> Timestamp { advanced(byDays: -max(days, -Int.max)) }
}
