public import Foundation

/// A key that tracking IDs are signed with.
public struct SigningKey: Sendable, Hashable, Decodable {
    public let id: Int
    public let createdAt: Date
    /// Whether new links are signed with it; `nil` in the answer of ``ConsentLinkAPI/rotateSigningKey()``.
    public let signs: Bool?
    public let signedUntil: Date?
    /// Until when links that it signed may be alive.
    public let linksAliveUntil: Date?
}

/// What a tracking ID says.
public struct InspectedTrackingID: Sendable, Hashable, Decodable {
    public let genuine: Bool
    /// Why it is not genuine. Of one that is not, nothing else is known.
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
    /// The same of opens: of an ID of the message itself, where the message asks for them apart. ``consent`` and
    /// ``recorded`` are then about clicks.
    public let opens: InspectedOpens?
}

/// What counts for the opens of a message that asks for them apart.
public struct InspectedOpens: Sendable, Hashable, Decodable {
    public let consent: Reason?
    /// Whether an open now would be recorded.
    public let recorded: Bool
}

/// A copy of the service's databases and keys, on the machine of the service.
public struct Backup: Sendable, Hashable, Decodable {
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

/// A link that signs in to the console once. Whoever has it is the operator: do not log it.
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
    /// Of the service.
    public let version: String
    public let lastSeenSeconds: Int
    /// How many changes of consent, messages and settings it has not told to have applied.
    public let changesBehind: Int
    /// Clicks in its spool when it told last.
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
