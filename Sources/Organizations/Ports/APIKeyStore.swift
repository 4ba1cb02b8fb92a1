package import Identifiers

/// Stores the keys of organizations. All calls may be concurrent; writes are durable when the call returns.
package protocol APIKeyStore: Sendable {
    /// The key with `digest`; `nil` if there is none.
    func key(with digest: APIKeyDigest) async throws -> APIKey?

    /// The keys of an organization, oldest first.
    func keys(of organization: OrganizationID) async throws -> [APIKey]

    /// At most `limit` of them, behind the one with the id `last`, which may have been removed. Its cost does not grow
    /// with the others.
    func keys(of organization: OrganizationID, after last: APIKeyID?, limit: Int) async throws -> [APIKey]

    /// - Parameter maker: the key that makes it, which must exist when it is stored; `nil` if no key does.
    /// - Returns: the key; `nil` if there is no such organization, or if the maker was deleted.
    func addKey(
        _ key: NewAPIKey, to organization: OrganizationID, by maker: APIKeyID?, at now: Timestamp
    ) async throws -> APIKey?

    /// - Returns: whether there was such a key.
    func removeKey(_ id: APIKeyID, of organization: OrganizationID) async throws -> Bool

    /// Notes the last uses of keys. Stored times never go back; unknown keys are ignored. All of them are stored or
    /// none.
    func noteUses(_ uses: [APIKeyID: Timestamp]) async throws
}

/// A key to be stored.
package struct NewAPIKey: Hashable, Sendable {
    package let digest: APIKeyDigest
    package let name: String
    package let scopes: Set<Scope>

    package init(digest: APIKeyDigest, name: String, scopes: Set<Scope>) {
        self.digest = digest
        self.name = name
        self.scopes = scopes
    }
}
