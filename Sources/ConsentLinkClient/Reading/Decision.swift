public import Foundation

/// Whether a recipient was tracked in a message, and why.
public struct Decision: Sendable, Hashable, Decodable {
    public let id: String
    public let decidedAt: Date
    /// `nil` once the recipient was erased.
    public let recipient: String?
    public let message: String
    public let purpose: String
    public let outcome: Outcome
    public let reason: Reason
    public let enforcement: Enforcement
    /// The id of the consent record that the decision rests on.
    public let consent: String?
    /// `nil` for clicks and opens together.
    public let activity: TrackedActivity?
}
