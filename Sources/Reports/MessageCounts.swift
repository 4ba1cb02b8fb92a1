package import Consent
package import Identifiers
package import Interactions

/// What is kept about one message, as of one moment.
package struct MessageCounts: Sendable {
    /// How many decisions were made, by reason.
    package let decisions: [DecisionReason: Int]
    /// How many people they are about, by the reason under which each counts.
    package let people: PerActivity<[DecisionReason: Int]>
    package let activity: MessageActivity
    /// When retention first deleted interactions with the message. Later ones count in totals alone: nothing tells
    /// whether their recipients were counted before. `nil` while all are stored. How many people clicked and opened is
    /// known until the first of the later ones that could have changed it (``ActivityCounter/uncounted``).
    package let peopleCountedUntil: Timestamp?
    /// Whether the message's mail has a picture that tells of openings.
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

    /// Whether opens are measured, so that nobody who opened means that nobody did. Nothing is kept of the formats that
    /// a message was composed in, and not every app reports: beside a mail with the picture, only an open says so.
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

/// What is kept about several messages together.
package struct CampaignCounts: Sendable {
    package let messages: Int
    /// What the messages need consent for, each purpose once, in order.
    package let purposes: PerActivity<[Purpose]>
    /// How many decisions were made, by reason.
    package let decisions: [DecisionReason: Int]
    /// Each person once, however many of the messages they were in.
    package let figures: PeopleFigures
    /// Sums over the messages: who is counted under two messages counts twice in them.
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
