public import Foundation

/// The content of an archive of evidence; `nil` is everything.
public struct AuditRequest: Sendable, Hashable, Encodable {
    public var recipient: String?
    /// The message's id.
    public var message: String?
    public var from: Date?
    public var to: Date?
    /// A checkpoint from an earlier time. The archive shows that the ledger continues it.
    public var since: String?

    public init(
        recipient: String? = nil, message: String? = nil, from: Date? = nil, to: Date? = nil, since: String? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.from = from
        self.to = to
        self.since = since
    }
}
