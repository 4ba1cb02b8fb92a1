package import Identifiers

/// A credential of an organization, without its secret, which is shown once and stored only as a digest.
package struct APIKey: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let maximumNameLength = 256

    package let id: APIKeyID
    package let organization: OrganizationID
    package let name: String
    package let scopes: Set<Scope>
    /// The last recorded use; see ``APIKeyStore/noteUses(_:)``. `nil` if none is recorded.
    package let lastUsedAt: Timestamp?

    package init(
        id: APIKeyID, organization: OrganizationID, name: String, scopes: Set<Scope>, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.organization = organization
        self.name = name
        self.scopes = scopes
        self.lastUsedAt = lastUsedAt
    }

    package var createdAt: Timestamp { id.number.timestamp }
}

/// Names a key without revealing it.
package struct APIKeyID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// SHA-256 of a key, 32 bytes: only this is stored. A key has 256 random bits, so it cannot be guessed.
package struct APIKeyDigest: Hashable, Sendable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
