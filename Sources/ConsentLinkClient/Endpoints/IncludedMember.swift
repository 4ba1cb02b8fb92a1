/// What events contain besides ids and times.
public struct IncludedMember: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recipient: IncludedMember = "recipient"
}
