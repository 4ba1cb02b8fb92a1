public import Foundation

/// A key of an organization, without its secret.
public struct APIKey: Sendable, Hashable, Decodable {
    public let id: String
    public let scopes: [Scope]
    public let name: String
    /// `nil` from a service that does not say it.
    public let createdAt: Date?
    /// When it was used last, exact to ten minutes; `nil` where no use is recorded.
    public let lastUsedAt: Date?
}

/// A key that was made. Its secret is shown this once, and is in no description of it.
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
