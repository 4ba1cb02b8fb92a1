/// What a recipient said about being tracked.
public struct ConsentState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let given: ConsentState = "given"
    public static let refused: ConsentState = "refused"
    /// The recipient withdrew consent.
    public static let withdrawn: ConsentState = "withdrawn"
    /// Another party ended the consent.
    public static let revoked: ConsentState = "revoked"
    public static let invalidated: ConsentState = "invalidated"
    /// Given, and past its end. No record has this state; consent in force may have it.
    public static let expired: ConsentState = "expired"
}
