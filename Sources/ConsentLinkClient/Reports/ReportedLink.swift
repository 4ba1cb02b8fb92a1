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
