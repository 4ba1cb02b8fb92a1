package import Identifiers

/// The decisions about one recipient of a message: one about clicks and opens together, or one about each.
package typealias RecipientDecisions = PerActivity<RecordedDecision>

extension PerActivity where Value == RecordedDecision {
    /// What the decisions permit a payload to contain about its recipient.
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
    /// The activities that may be tracked for these reasons; `nil` for none.
    package var tracked: TrackedActivities? {
        TrackedActivities(clicks: self[.clicks].outcome == .tracked, opens: self[.opens].outcome == .tracked)
    }
}
