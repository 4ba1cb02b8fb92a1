/// A page of decisions, oldest first.
public struct DecisionPage: Sendable, Hashable, Decodable {
    public let decisions: [Decision]
    /// The cursor of the next page; `nil` on the last page.
    public let next: String?
}
