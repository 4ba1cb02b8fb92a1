public import Foundation

/// A key that tracking IDs are signed with.
public struct SigningKey: Sendable, Hashable, Decodable {
    public let id: Int
    public let createdAt: Date
    /// Whether new links are signed with it; `nil` in the answer of ``ConsentLinkAPI/rotateSigningKey()``.
    public let signs: Bool?
    public let signedUntil: Date?
    /// The time until which links that it signed may be valid.
    public let linksAliveUntil: Date?
}

/// The content of a tracking ID.
public struct InspectedTrackingID: Sendable, Hashable, Decodable {
    public let genuine: Bool
    /// Why it is not genuine. Nothing else is known of an ID that is not genuine.
    public let reason: String?
    public let key: Int?
    public let organization: String?
    public let message: String?
    /// The link's index.
    public let link: Int?
    public let target: String?
    public let disabled: Bool?
    public let expires: Date?
    public let expired: Bool?
    public let consent: Reason?
    /// Whether a click now would be recorded.
    public let recorded: Bool?
    /// The consent and recording of opens: for an ID of the message itself, if the message asks for them separately.
    /// ``consent`` and ``recorded`` are then about clicks.
    public let opens: InspectedOpens?
}

/// The consent for opens, in a message that asks for them separately.
public struct InspectedOpens: Sendable, Hashable, Decodable {
    public let consent: Reason?
    /// Whether an open now would be recorded.
    public let recorded: Bool
}

/// A copy of the service's databases and keys, on the machine of the service.
public struct Backup: Sendable, Hashable, Decodable {
    /// A file of the backup, and its size.
    public struct File: Sendable, Hashable, Decodable {
        public let name: String
        public let bytes: Int
    }

    public let folder: String
    public let startedAt: Date
    public let finishedAt: Date
    /// `false` where the database is on a PostgreSQL server, which has backups of its own.
    public let includesDatabase: Bool
    public let files: [File]
}

/// A link that signs in to the console once. Its holder has all rights of the operator: do not log it.
public struct SignInLink: Sendable, Hashable, Decodable {
    public let url: String
    public let expiresAt: Date
}

/// One of the services that share a database.
public struct Node: Sendable, Hashable, Decodable {
    public let name: String
    public let slot: Int
    /// `running`, `stopped`, or `silent` when nothing was heard of it for eight seconds.
    public let state: String
    /// The version of the service.
    public let version: String
    public let lastSeenSeconds: Int
    /// How many changes of consent, messages and settings it has not confirmed to have applied.
    public let changesBehind: Int
    /// The number of clicks in its spool at its last report.
    public let spooled: Int
}

struct NodeList: Decodable {
    let nodes: [Node]
}

struct KeyRing: Decodable {
    let keys: [SigningKey]
}

struct Retirement: Encodable {
    let force: Bool
}

struct InspectionRequest: Encodable {
    let token: String
}
