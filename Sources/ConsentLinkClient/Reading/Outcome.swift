/// Whether an activity of a recipient is recorded.
public struct Outcome: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let tracked: Outcome = "tracked"
    public static let untracked: Outcome = "untracked"
}
