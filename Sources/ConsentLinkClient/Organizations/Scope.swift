/// What a key may do.
public struct Scope: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Make and read messages, compose payloads.
    public static let compose: Scope = "compose"
    /// Record and query consent.
    public static let consent: Scope = "consent"
    /// Query consents, decisions, interactions, messages, reports, the ledger and its proofs.
    public static let read: Scope = "read"
    /// Change the organization's settings and keys, disable messages, erase recipients.
    public static let manage: Scope = "manage"
    /// Reports, which name no recipient.
    public static let report: Scope = "report"
    /// For a relay, which delivers to endpoints.
    public static let deliver: Scope = "deliver"
}
