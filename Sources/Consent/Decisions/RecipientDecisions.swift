package import Identifiers

/// What was decided about one recipient of a message: one decision about clicks and opens, or one about each.
package typealias RecipientDecisions = PerActivity<RecordedDecision>

extension PerActivity where Value == RecordedDecision {
    /// What the decisions let a payload say about its recipient.
    package enum Permit: Hashable, Sendable {
        case tracked(RecipientReference, TrackedActivities)
        case untracked
    }

    package var permit: Permit {
        switch (self[.clicks].permit, self[.opens].permit) {
        case (.tracked(let recipient), .tracked): .tracked(recipient, .both)
        case (.tracked(let recipient), .untracked): .tracked(recipient, .clicks)
        case (.untracked, .tracked(let recipient)): .tracked(recipient, .opens)
        case (.untracked, .untracked): .untracked
        }
    }
}

extension PerActivity where Value == DecisionReason {
    /// What may be tracked for these reasons; `nil` for nothing.
    package var tracked: TrackedActivities? {
        TrackedActivities(clicks: self[.clicks].outcome == .tracked, opens: self[.opens].outcome == .tracked)
    }
}
