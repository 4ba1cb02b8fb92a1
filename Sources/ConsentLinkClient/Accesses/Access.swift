public import Foundation

/// Which records about a recipient were looked at.
public struct AccessedRecords: OpenName {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let consents: AccessedRecords = "consents"
    public static let consentRequests: AccessedRecords = "consentRequests"
    public static let decisions: AccessedRecords = "decisions"
    public static let interactions: AccessedRecords = "interactions"
    /// Everything that is held, or evidence about the recipient.
    public static let export: AccessedRecords = "export"
    /// The earlier looks at the recipient.
    public static let accesses: AccessedRecords = "accesses"
    public static let timeline: AccessedRecords = "timeline"
}

/// A look at what is held about a recipient.
public struct Access: Sendable, Hashable, Decodable {
    public let id: String
    public let accessedAt: Date
    /// `operator`, `key:` and the key's id, or `account:` and the account's subject.
    public let who: String
    public let what: AccessedRecords
    /// `nil` if nothing was held about the recipient, once they were erased, and once accesses are no longer kept.
    public let recipient: String?
    /// `nil` once it is no longer kept: it is deleted together with the recipient.
    public let reason: String?
}

/// Which looks are asked for; `nil` is any.
public struct AccessQuery: Sendable, Hashable, Encodable {
    public var recipient: String?
    /// As ``Access/who``.
    public var who: String?
    /// From this moment on.
    public var from: Date?
    /// Before this moment.
    public var to: Date?

    public init(recipient: String? = nil, who: String? = nil, from: Date? = nil, to: Date? = nil) {
        self.recipient = recipient
        self.who = who
        self.from = from
        self.to = to
    }
}

/// A page of looks, newest first.
public struct AccessPage: Sendable, Hashable, Decodable {
    public let accesses: [Access]
    /// `nil` when there are no more.
    public let next: String?
}
