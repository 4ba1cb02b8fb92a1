package import Identifiers

/// Stores the keys of organizations. All calls may be concurrent; writes are durable when the call returns.
package protocol AccessKeyStore: Sendable {
    /// The key with `digest`; `nil` if there is none.
    func key(with digest: AccessKeyDigest) async throws -> AccessKey?

    /// The keys of an organization, oldest first.
    func keys(of organization: OrganizationID) async throws -> [AccessKey]

    /// - Parameter maker: the key that makes it, which must exist when it is stored; `nil` if no key does.
    /// - Returns: the key; `nil` if there is no such organization, or if the maker was deleted.
    func addKey(
        _ key: NewAccessKey, to organization: OrganizationID, by maker: AccessKeyID?, at now: Timestamp
    ) async throws -> AccessKey?

    /// - Returns: whether there was such a key.
    func removeKey(_ id: AccessKeyID, of organization: OrganizationID) async throws -> Bool

    /// Notes the last uses of keys. Stored times never go back; unknown keys are ignored. All of them are stored or
    /// none.
    func noteUses(_ uses: [AccessKeyID: Timestamp]) async throws
}

extension AccessKeyStore {
    /// Adds a key that no key makes.
    package func addKey(
        _ key: NewAccessKey, to organization: OrganizationID, at now: Timestamp
    ) async throws -> AccessKey? {
        try await addKey(key, to: organization, by: nil, at: now)
    }
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
