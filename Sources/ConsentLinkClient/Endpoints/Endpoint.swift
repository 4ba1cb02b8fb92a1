public import Foundation

/// An endpoint, to which an organization's events are sent.
public struct Endpoint: Sendable, Hashable, Decodable {
    public let id: String
    public let url: String
    public let kinds: [EventKind]
    public let include: [IncludedMember]
    public let state: EndpointState
    public let createdAt: Date
    /// The place in the consent feed after the last delivered item.
    public let cursor: String
    /// The number of failed attempts since the last one that succeeded.
    public let failures: Int
    public let failingSince: Date?
    /// `nil` if the last attempt did not fail.
    public let nextAttemptAt: Date?
    /// Until this time deliveries are signed with the former secret as well.
    public let formerSecretUntil: Date?
}
