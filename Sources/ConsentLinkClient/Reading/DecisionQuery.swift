public import Foundation

/// Which decisions are asked for; `nil` is any.
public struct DecisionQuery: Sendable, Hashable, Encodable {
    public var recipient: String?
    /// The message's id.
    public var message: String?
    public var outcome: Outcome?
    public var reason: Reason?
    /// From this moment on.
    public var from: Date?
    /// Before this moment.
    public var to: Date?

    public init(
        recipient: String? = nil, message: String? = nil, outcome: Outcome? = nil, reason: Reason? = nil,
        from: Date? = nil, to: Date? = nil
    ) {
        self.recipient = recipient
        self.message = message
        self.outcome = outcome
        self.reason = reason
        self.from = from
        self.to = to
    }
}
