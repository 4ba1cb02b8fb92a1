/// Why a request takes no more answers.
public struct RequestClosing: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The recipient was asked again.
    public static let newerRequest: RequestClosing = "newerRequest"
    /// An answer from another source is later and counts.
    public static let laterAnswer: RequestClosing = "laterAnswer"
}
