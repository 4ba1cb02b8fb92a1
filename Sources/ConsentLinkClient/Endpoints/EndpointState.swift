/// Whether an endpoint gets events, and if not, why not.
public struct EndpointState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let enabled: EndpointState = "enabled"
    /// Its owner disabled it.
    public static let disabled: EndpointState = "disabled"
    /// All deliveries failed for five days, and at least eleven attempts were made.
    public static let failing: EndpointState = "failing"
    /// It answered 410.
    public static let gone: EndpointState = "gone"
}
