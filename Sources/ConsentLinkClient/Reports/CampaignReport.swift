public import Foundation

/// What came of the messages that were made in a time.
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
    /// Reasons that apply to nobody are left out.
    public let untracked: [Reason: Int]
    public let people: ReportedPeople
    public let rates: ReportedRates
    public let bounds: ReportedBounds
    public let interactions: [InteractionType: InteractionTotals]
    public let opens: OpensByVisitor<OpenTotal>
    /// Days (UTC) on which something was counted, in order.
    public let days: [CampaignDay]
}

/// How often recipients did something with the messages.
public struct InteractionTotals: Sendable, Hashable, Decodable {
    public let total: Int
    /// Those of machines.
    public let automated: Int
    /// Those that look as if a mail scanner had done them: three or more links within two seconds.
    public let suspected: Int
}

/// Openings of one class of visitors.
public struct OpenTotal: Sendable, Hashable, Decodable {
    public let total: Int
}

/// What recipients did on a day.
public struct CampaignDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let clicks: Int
    public let opens: Int
}
