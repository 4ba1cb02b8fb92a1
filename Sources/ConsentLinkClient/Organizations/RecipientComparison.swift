/// How recipients are compared.
public struct RecipientComparison: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Spellings of one e-mail address are one recipient.
    public static let email: RecipientComparison = "email"
    /// Byte for byte.
    public static let exact: RecipientComparison = "exact"
}
