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
    /// When retention first deleted interactions with the message; later ones count only in totals. `nil` while it has
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
