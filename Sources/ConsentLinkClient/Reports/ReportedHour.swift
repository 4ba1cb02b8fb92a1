/// The interactions of an hour, and the number of different recipients.
public struct ReportedHour: Sendable, Hashable, Decodable {
    /// 0 to 47, counted from when the message was made.
    public let hour: Int
    public let clicks: Int
    public let clickers: Int
    public let opens: Int
    public let openers: Int
}
