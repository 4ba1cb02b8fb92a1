/// The interactions of a day, and the number of different recipients.
public struct ReportedDay: Sendable, Hashable, Decodable {
    /// In UTC, such as `2026-11-22`.
    public let day: String
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}
