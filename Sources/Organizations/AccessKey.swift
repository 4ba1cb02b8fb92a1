package import Identifiers

/// A credential of an organization, without the secret: that is shown once and kept as a digest alone.
package struct AccessKey: Hashable, Sendable {
    package static let maximumNameLength = 256

    package let id: AccessKeyID
    package let organization: OrganizationID
    package let name: String
    package let scopes: Set<Scope>
    /// When it was used last, as far as that is recorded: see ``AccessKeyStore/noteUses(_:)``. `nil` for none.
    package let lastUsedAt: Timestamp?

    package init(
        id: AccessKeyID, organization: OrganizationID, name: String, scopes: Set<Scope>, lastUsedAt: Timestamp? = nil
    ) {
        self.id = id
        self.organization = organization
        self.name = name
        self.scopes = scopes
        self.lastUsedAt = lastUsedAt
    }

    package var createdAt: Timestamp { id.number.timestamp }
}

/// Names a key without giving it away.
package struct AccessKeyID: EntityID {
    package let number: TimeOrderedNumber
    package init(_ number: TimeOrderedNumber) { self.number = number }
}

/// SHA-256 of a key, 32 bytes: all that is stored of it. A key is 256 random bits, so it cannot be guessed.
package struct AccessKeyDigest: Hashable, Sendable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
