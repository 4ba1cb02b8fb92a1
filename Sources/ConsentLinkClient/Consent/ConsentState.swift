/// What somebody said about being tracked.
public struct ConsentState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let given: ConsentState = "given"
    public static let refused: ConsentState = "refused"
    /// By the person.
    public static let withdrawn: ConsentState = "withdrawn"
    /// By somebody else.
    public static let revoked: ConsentState = "revoked"
    public static let invalidated: ConsentState = "invalidated"
    /// Given, and past its end. No record has it; what is in force may.
    public static let expired: ConsentState = "expired"
}
