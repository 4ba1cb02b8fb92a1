public import Foundation

/// What was decided about a message, and what came back.
///
/// ``composed``, ``tracked``, ``untracked`` and ``interactions`` count decisions and interactions; ``people`` counts
/// people. What machines did is in totals, and neither in people nor in rates.
public struct MessageReport: Sendable, Hashable, Decodable {
    /// The message's id.
    public let message: String
    /// How many decisions there are.
    public let composed: Int
    public let tracked: Int
    /// Reasons that apply to nobody are left out.
    public let untracked: [Reason: Int]
    public let people: ReportedPeople
    public let rates: ReportedRates
    public let bounds: ReportedBounds
    /// When retention first deleted interactions with the message; later ones count in totals alone. `nil` while it has
    /// deleted none.
    public let peopleCountedUntil: Date?
    public let interactions: [InteractionType: InteractionCounts]
    public let opens: OpensByVisitor<OpenCounts>
    public let links: [ReportedLink]
    /// Days (UTC) on which something was counted, in order.
    public let days: [ReportedDay]
    /// Of the first 48 hours after the message was made those in which something was counted, in order.
    public let hours: [ReportedHour]
}

/// How often recipients did something with a message.
public struct InteractionCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Recipients of whom it came at least once from something that is not known to be a machine.
    public let unique: Int
    /// Those of machines.
    public let automated: Int
    /// Those that look as if a mail scanner had done them: three or more links within two seconds.
    public let suspected: Int
}

/// Openings of one class of visitors.
public struct OpenCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Each recipient counts once, under the class that says most: person, cannotTell, machine.
    public let people: Int
}

/// How often a link of a message was followed.
public struct ReportedLink: Sendable, Hashable, Decodable {
    public let index: Int
    public let url: String
    /// `link`, `actions/0/link`, `html` or `text`.
    public let `where`: String
    public let label: String?
    public let clicks: Int
    /// How many different recipients followed it.
    public let unique: Int
}

/// What recipients did on a day, and how many different ones.
public struct ReportedDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}

/// What recipients did in an hour, and how many different ones.
public struct ReportedHour: Sendable, Hashable, Decodable {
    /// 0 to 47, from when the message was made.
    public let hour: Int
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}
