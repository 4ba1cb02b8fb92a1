/// How many people there are by the decisions about their opens.
public struct ReportedOpensTracked: Sendable, Hashable, Decodable {
    /// People whose opens are tracked.
    public let tracked: Int
    /// Reasons without a recipient are left out.
    public let untracked: [Reason: Int]
}
