package import Consent
package import Identifiers

/// Keeps organizations and their keys. May be called at once from anywhere; what it wrote is durable when the call
/// returns.
package protocol OrganizationStore: Sendable {
    /// Makes an organization together with its first key.
    /// - Returns: the key; `nil` when the id is taken, and then nothing was made.
    func create(
        _ organization: Organization, firstKey: NewAccessKey, at now: Timestamp
    ) async throws -> AccessKey?

    /// The organization with `id`; `nil` when there is none.
    func organization(_ id: OrganizationID) async throws -> Organization?

    /// Every organization, for the start of a service.
    func all() async throws -> [Organization]

    /// Changes an organization. A change of its enforcement is told to the consent observer before the call returns.
    /// - Returns: the organization as it is now; `nil` when there is none.
    func change(_ id: OrganizationID, by change: OrganizationChange, at now: Timestamp) async throws -> Organization?

    /// Which enforcement applied when; `nil` when there is no such organization.
    func enforcementHistory(of organization: OrganizationID) async throws -> EnforcementHistory?

    /// - Returns: the key; `nil` when there is no such organization.
    func addKey(_ key: NewAccessKey, to organization: OrganizationID, at now: Timestamp) async throws -> AccessKey?

    /// The keys of an organization, oldest first.
    func keys(of organization: OrganizationID) async throws -> [AccessKey]

    /// - Returns: whether there was such a key.
    func removeKey(_ id: AccessKeyID, of organization: OrganizationID) async throws -> Bool

    /// The key with `digest`; `nil` when there is none.
    func key(with digest: AccessKeyDigest) async throws -> AccessKey?
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
