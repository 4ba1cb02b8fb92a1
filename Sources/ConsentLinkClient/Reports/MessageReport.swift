public import Foundation

/// The decisions about a message, and its interactions.
///
/// ``composed``, ``tracked``, ``untracked`` and ``interactions`` count decisions and interactions; ``people`` counts
/// people. Interactions of machines are in totals, but neither in people nor in rates.
public struct MessageReport: Sendable, Hashable, Decodable {
    /// The message's id.
    public let message: String
    /// How many decisions there are.
    public let composed: Int
    public let tracked: Int
    /// Reasons without a recipient are left out.
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
    /// Days (UTC) with at least one count, in order.
    public let days: [ReportedDay]
    /// The hours with at least one count, in order, of the first 48 hours after the message was made.
    public let hours: [ReportedHour]
}

/// How often recipients did something with a message.
public struct InteractionCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Recipients with at least one interaction of which the cause is not known to be a machine.
    public let unique: Int
    /// Interactions of machines.
    public let automated: Int
    /// Interactions that a mail scanner may have caused: three or more links within two seconds.
    public let suspected: Int
}

/// Openings of one class of visitors.
public struct OpenCounts: Sendable, Hashable, Decodable {
    public let total: Int
    /// Each recipient counts once, under the first of these classes that one of their opens has: person, cannotTell,
    /// machine.
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

/// The interactions of a day, and the number of different recipients.
public struct ReportedDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}

/// The interactions of an hour, and the number of different recipients.
public struct ReportedHour: Sendable, Hashable, Decodable {
    /// 0 to 47, counted from when the message was made.
    public let hour: Int
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}
