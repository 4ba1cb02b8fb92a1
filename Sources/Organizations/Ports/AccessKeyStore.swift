package import Identifiers

/// Keeps the keys of organizations. May be called at once from anywhere; what it wrote is durable when the call returns.
package protocol AccessKeyStore: Sendable {
    /// The key with `digest`; `nil` when there is none.
    func key(with digest: AccessKeyDigest) async throws -> AccessKey?

    /// The keys of an organization, oldest first.
    func keys(of organization: OrganizationID) async throws -> [AccessKey]

    /// - Returns: the key; `nil` when there is no such organization.
    func addKey(_ key: NewAccessKey, to organization: OrganizationID, at now: Timestamp) async throws -> AccessKey?

    /// - Returns: whether there was such a key.
    func removeKey(_ id: AccessKeyID, of organization: OrganizationID) async throws -> Bool

    /// Notes when keys were used last. Recorded times only grow; keys that there are none of are passed over. All of it
    /// happens or nothing.
    func noteUses(_ uses: [AccessKeyID: Timestamp]) async throws
}

/// A key to be stored.
package struct NewAccessKey: Hashable, Sendable {
    package let digest: AccessKeyDigest
    package let name: String
    package let scopes: Set<Scope>

    package init(digest: AccessKeyDigest, name: String, scopes: Set<Scope>) {
        self.digest = digest
        self.name = name
        self.scopes = scopes
    }
}
