/// How many people a report is about. A person with several decisions counts once: as tracked if any decision tracks
/// them, else by the latest decision.
public struct ReportedPeople: Sendable, Hashable, Decodable {
    public let composed: Int
    /// People whose clicks are tracked.
    public let tracked: Int
    /// Reasons without a recipient are left out.
    public let untracked: [Reason: Int]
    /// The same people by the decisions about their opens. If a message has one purpose, these are the same decisions.
    public let opens: ReportedOpensTracked
    /// People who followed a link, without clicks of machines. This and the next two are `nil` in a report of several
    /// messages if retention has deleted interactions, and in a report of one message if later interactions cannot be
    /// counted by person.
    public let clickers: Int?
    /// People with an opening that a person caused. This and the next are `nil` also if opens are not measured.
    public let openers: Int?
    /// People without such an opening, but with one whose cause cannot be told.
    public let possibleOpeners: Int?
}
