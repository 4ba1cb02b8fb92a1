/// Shares of people, each with its interval. Shares of people who did something are shares of tracked people, because
/// nothing is known of the others.
public struct ReportedRates: Sendable, Hashable, Decodable {
    /// People whose clicks are tracked, of composed people.
    public let coverage: Rate
    /// People whose opens are tracked, of composed people.
    public let opensCoverage: Rate
    /// Clickers of people whose clicks are tracked.
    public let clickers: Rate
    /// Openers of people whose opens are tracked.
    public let openers: Rate
    /// Openers and possible openers of people whose opens are tracked.
    public let openersAtMost: Rate
}
