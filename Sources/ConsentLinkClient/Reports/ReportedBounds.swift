/// The least and the greatest possible shares of all composed people.
public struct ReportedBounds: Sendable, Hashable, Decodable {
    public let clickers: ShareBounds
    public let openers: ShareBounds
}
