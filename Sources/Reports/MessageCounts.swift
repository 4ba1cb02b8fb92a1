package import Consent
package import Identifiers
package import Interactions

/// The stored counts of one message, at one moment.
package struct MessageCounts: Sendable {
    /// The number of decisions, by reason.
    package let decisions: [DecisionReason: Int]
    /// The number of recipients of these decisions, by the reason under which each counts.
    package let people: PerActivity<[DecisionReason: Int]>
    package let activity: MessageActivity
    /// The time at which retention first deleted interactions with the message; `nil` if all are stored. Later
    /// interactions count only in totals, because it is not known whether their recipients were counted before. The
    /// numbers of clickers and openers stay known until the first later interaction that could have changed them
    /// (``ActivityCounter/uncounted``).
    package let peopleCountedUntil: Timestamp?
    /// Whether the message's mail has a picture that reports opens.
    package let tracksOpens: Bool

    package init(
        decisions: [DecisionReason: Int], people: PerActivity<[DecisionReason: Int]>, activity: MessageActivity,
        peopleCountedUntil: Timestamp?, tracksOpens: Bool
    ) {
        self.decisions = decisions
        self.people = people
        self.activity = activity
        self.peopleCountedUntil = peopleCountedUntil
        self.tracksOpens = tracksOpens
    }

    /// Whether opens are measured, so that zero openers means that no recipient opened the message. The formats in
    /// which a message was composed are not stored, and not every app reports opens. So this is true for a mail with
    /// the picture, or after an open was recorded.
    package var measuresOpens: Bool {
        tracksOpens || InteractionKind.allCases.contains { $0.isOpen && activity.counts[.kind($0)].total > 0 }
    }

    package var figures: PeopleFigures {
        PeopleFigures(
            byReason: people,
            responders: activity.responders,
            measuresOpens: measuresOpens)
    }
}

/// The stored counts of several messages together.
package struct CampaignCounts: Sendable {
    package let messages: Int
    /// The purposes of the messages, each once, in order.
    package let purposes: PerActivity<[Purpose]>
    /// The number of decisions, by reason.
    package let decisions: [DecisionReason: Int]
    /// Counts each recipient once, however many of the messages they were in.
    package let figures: PeopleFigures
    /// Sums over the messages: a recipient who is counted under two messages counts twice.
    package let activity: ActivityCounts

    package init(
        messages: Int, purposes: PerActivity<[Purpose]>, decisions: [DecisionReason: Int], figures: PeopleFigures,
        activity: ActivityCounts
    ) {
        self.messages = messages
        self.purposes = purposes
        self.decisions = decisions
        self.figures = figures
        self.activity = activity
    }
}
