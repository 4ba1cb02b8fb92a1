public import Foundation

/// The results of the messages that were made in a period.
///
/// ``people`` has each recipient once, however many of the messages they were in. All other counts add up over the
/// messages.
public struct CampaignReport: Sendable, Hashable, Decodable {
    /// Included.
    public let from: Date
    /// Not included.
    public let to: Date
    public let tag: String?
    /// How many messages the report is about; at most 10,000.
    public let messages: Int
    /// How many decisions there are.
    public let composed: Int
    public let tracked: Int
    /// Reasons without a recipient are left out.
    public let untracked: [Reason: Int]
    public let people: ReportedPeople
    public let rates: ReportedRates
    public let bounds: ReportedBounds
    public let interactions: [InteractionType: InteractionTotals]
    public let opens: OpensByVisitor<OpenTotal>
    /// Days (UTC) with at least one count, in order.
    public let days: [CampaignDay]
}

/// How often recipients did something with the messages.
public struct InteractionTotals: Sendable, Hashable, Decodable {
    public let total: Int
    /// Interactions of machines.
    public let automated: Int
    /// Interactions that a mail scanner may have caused: three or more links within two seconds.
    public let suspected: Int
}

/// Openings of one class of visitors.
public struct OpenTotal: Sendable, Hashable, Decodable {
    public let total: Int
}

/// The interactions of a day.
public struct CampaignDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let clicks: Int
    public let opens: Int
}
