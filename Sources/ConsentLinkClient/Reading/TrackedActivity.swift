/// The activity that a decision is about, if a message asks consent for clicks and opens separately.
public struct TrackedActivity: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let clicks: TrackedActivity = "clicks"
    public static let opens: TrackedActivity = "opens"
}
