/// How long something is kept, as an organization sets it.
package enum RetentionPeriod: Hashable, Sendable {
    case days(Int)
    case forever

    /// The name of the period without an end. It is never the default.
    package static let nameOfForever = "forever"

    fileprivate var days: Int? {
        switch self {
        case .days(let days): days
        case .forever: nil
        }
    }
}

/// A change of retention; `nil` leaves a period unchanged, so that an omitted one neither deletes nor keeps more.
package struct RetentionChange: Hashable, Sendable {
    var interactions: RetentionPeriod?
    var decisions: RetentionPeriod?

    package init(interactions: RetentionPeriod? = nil, decisions: RetentionPeriod? = nil) {
        self.interactions = interactions
        self.decisions = decisions
    }

    package func applied(to retention: Retention) -> Retention {
        Retention(
            interactionsDays: interactions.map(\.days) ?? retention.interactionsDays,
            decisionsDays: decisions.map(\.days) ?? retention.decisionsDays)
    }
}

extension Retention {
    package var interactions: RetentionPeriod { interactionsDays.map { .days($0) } ?? .forever }
    package var decisions: RetentionPeriod { decisionsDays.map { .days($0) } ?? .forever }
}
