/// The state of a request as a whole.
public struct ConsentRequestState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let open: ConsentRequestState = "open"
    /// A yes waits for the second link.
    public static let awaitingConfirmation: ConsentRequestState = "awaitingConfirmation"
    public static let answered: ConsentRequestState = "answered"
    /// The recipient was asked again, or an answer from another source counts.
    public static let superseded: ConsentRequestState = "superseded"
    /// Its time passed without an answer.
    public static let expired: ConsentRequestState = "expired"
    /// The recipient was erased.
    public static let erased: ConsentRequestState = "erased"
}
