public import Foundation

/// Whether an endpoint gets events, and if not, why not.
public struct EndpointState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let enabled: EndpointState = "enabled"
    /// By its owner.
    public static let disabled: EndpointState = "disabled"
    /// Nothing but failures came from it for five days, and eight at least.
    public static let failing: EndpointState = "failing"
    /// It answered 410.
    public static let gone: EndpointState = "gone"
}

/// What events have besides ids and times.
public struct IncludedMember: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recipient: IncludedMember = "recipient"
}

/// Where an organization's events are sent.
public struct Endpoint: Sendable, Hashable, Decodable {
    public let id: String
    public let url: String
    public let kinds: [EventKind]
    public let include: [IncludedMember]
    public let state: EndpointState
    public let createdAt: Date
    /// The place in the consent feed behind what was delivered.
    public let cursor: String
    /// Since the last attempt that did not fail.
    public let failures: Int
    public let failingSince: Date?
    /// `nil` while nothing failed.
    public let nextAttemptAt: Date?
    /// Until when deliveries are signed with the secret before the present one as well.
    public let formerSecretUntil: Date?
}

/// An endpoint whose secret was made. It is shown this once, and is in no description of it.
public struct EndpointWithSecret: Sendable, Hashable, Decodable, CustomStringConvertible, CustomReflectable {
    public let endpoint: Endpoint
    /// Begins with `whsec_`. Verify every delivery with it, by a library for Standard Webhooks.
    public let secret: String

    public var description: String { "endpoint \(endpoint.id)" }

    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    private enum CodingKeys: CodingKey { case secret }

    public init(from decoder: any Decoder) throws {
        endpoint = try Endpoint(from: decoder)
        secret = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .secret)
    }
}

/// What is to be made.
public struct NewEndpoint: Sendable, Hashable, Encodable {
    public var url: String
    public var kinds: [EventKind]
    /// `nil` includes nothing.
    public var include: [IncludedMember]?

    public init(url: String, kinds: [EventKind], include: [IncludedMember]? = nil) {
        self.url = url
        self.kinds = kinds
        self.include = include
    }
}

/// What is to be another; `nil` stays as it is.
public struct EndpointChange: Sendable, Hashable, Encodable {
    public var url: String?
    public var kinds: [EventKind]?
    public var include: [IncludedMember]?

    public init(url: String? = nil, kinds: [EventKind]? = nil, include: [IncludedMember]? = nil) {
        self.url = url
        self.kinds = kinds
        self.include = include
    }
}

/// One attempt to deliver.
public struct DeliveryAttempt: Sendable, Hashable, Decodable {
    public let at: Date
    public let kind: EventKind
    /// The same for each attempt of an event.
    public let webhookId: String
    /// Of the answer; `nil` where there was none.
    public let status: Int?
    /// Why there was no answer that counts, such as `timedOut`.
    public let reason: String?
    public let milliseconds: Int
}

struct EndpointList: Decodable {
    let endpoints: [Endpoint]
}

struct DeliveryAttemptList: Decodable {
    let attempts: [DeliveryAttempt]
}

/// A test event that was asked for.
public struct EndpointTest: Sendable, Hashable, Decodable {
    /// What its delivery will be called.
    public let webhookId: String
}

struct ReplayRequest: Encodable {
    let after: String
}
