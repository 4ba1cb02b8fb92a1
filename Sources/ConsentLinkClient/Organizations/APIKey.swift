public import Foundation

/// A key of an organization, without its secret.
public struct APIKey: Sendable, Hashable, Decodable {
    public let id: String
    public let scopes: [Scope]
    public let name: String
    /// `nil` from a service whose version does not state it.
    public let createdAt: Date?
    /// The time of its last use, exact to ten minutes; `nil` if no use is recorded.
    public let lastUsedAt: Date?
}

/// A new key. Its secret is shown only once, and is in no description of this value.
public struct CreatedKey: Sendable, Hashable, Decodable, CustomStringConvertible, CustomReflectable {
    public let id: String
    /// For ``ConsentLinkAPI/init(_:key:retries:http:)``.
    public let secret: String
    public let scopes: [Scope]

    public var description: String { "key \(id)" }

    public var customMirror: Mirror { Mirror(self, children: ["id": id, "scopes": scopes]) }

    private enum CodingKeys: String, CodingKey {
        case id
        case secret = "key"
        case scopes
    }
}

struct NewKey: Encodable {
    let scopes: [Scope]
    let name: String?
}

struct KeyList: Decodable {
    let keys: [APIKey]
    let next: String?
}
