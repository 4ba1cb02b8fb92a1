/// Which recipients are tracked.
public struct Enforcement: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Only recipients who consented.
    public static let restrictive: Enforcement = "restrictive"
    /// All recipients except those who said no.
    public static let nonRestrictive: Enforcement = "nonRestrictive"
}
