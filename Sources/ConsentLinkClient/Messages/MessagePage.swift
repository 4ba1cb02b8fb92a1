/// A page of messages, newest first.
public struct MessagePage: Sendable, Hashable, Decodable {
    public let messages: [MessageSummary]
    /// For the next page; `nil` on the last.
    public let next: String?
}
