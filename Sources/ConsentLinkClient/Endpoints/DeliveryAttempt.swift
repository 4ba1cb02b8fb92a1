public import Foundation

/// One attempt to deliver.
public struct DeliveryAttempt: Sendable, Hashable, Decodable {
    public let at: Date
    public let kind: EventKind
    /// The same for all attempts of an event.
    public let webhookId: String
    /// The status of the answer; `nil` if there was none.
    public let status: Int?
    /// Why the attempt has no valid answer, such as `timedOut`.
    public let reason: String?
    public let milliseconds: Int
}

struct DeliveryAttemptList: Decodable {
    let attempts: [DeliveryAttempt]
}

/// A test event that was requested.
public struct EndpointTest: Sendable, Hashable, Decodable {
    /// The id of its delivery.
    public let webhookId: String
}

struct ReplayRequest: Encodable {
    let after: String
}
