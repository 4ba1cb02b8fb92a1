public import Foundation

/// Whether an endpoint gets events, and if not, why not.
public struct EndpointState: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let enabled: EndpointState = "enabled"
    /// Its owner disabled it.
    public static let disabled: EndpointState = "disabled"
    /// All deliveries failed for five days, and at least eight attempts were made.
    public static let failing: EndpointState = "failing"
    /// It answered 410.
    public static let gone: EndpointState = "gone"
}

/// What events contain besides ids and times.
public struct IncludedMember: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let recipient: IncludedMember = "recipient"
}

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

/// An endpoint and its new secret. The secret is shown only once, and is in no description of this value.
public struct EndpointWithSecret: Sendable, Hashable, Decodable, CustomStringConvertible, CustomReflectable {
    public let endpoint: Endpoint
    /// Begins with `whsec_`. Verify every delivery with it, for example with a library for Standard Webhooks.
    public let secret: String

    public var description: String { "endpoint \(endpoint.id)" }

    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint]) }

    private enum CodingKeys: CodingKey { case secret }

    public init(from decoder: any Decoder) throws {
        endpoint = try Endpoint(from: decoder)
        secret = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .secret)
    }
}

struct EndpointList: Decodable {
    let endpoints: [Endpoint]
}
