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

struct KeyRing: Decodable {
    let keys: [SigningKey]
}

struct Retirement: Encodable {
    let force: Bool
}
