package import Identifiers

/// Keeps organizations and their keys. May be called at once from anywhere; what it wrote is durable when the call
/// returns. Callers that change no organization depend on one of the roles.
package protocol OrganizationStore: OrganizationDirectory, AccessKeyStore {
    /// Makes an organization together with its first key.
    /// - Returns: the key; `nil` when the id is taken, and then nothing was made.
    func create(
        _ organization: Organization, firstKey: NewAccessKey, at now: Timestamp
    ) async throws -> AccessKey?

    /// At most `limit` organizations in the order in which they were made, behind `after`. One whose settings cannot be
    /// read is left out; its ledger is closed.
    /// - Returns: `nil` when there is no organization `after`.
    func organizations(after: OrganizationID?, limit: Int) async throws -> OrganizationPage?

    /// The organization of the key with `id`; `nil` when there is no such key, or no longer.
    func organization(ofKey id: AccessKeyID) async throws -> OrganizationID?

    /// Changes an organization. A change of its enforcement is told to the consent observer before the call returns.
    /// - Returns: the organization as it is now; `nil` when there is none.
    func change(_ id: OrganizationID, by change: OrganizationChange, at now: Timestamp) async throws -> Organization?
}

/// Organizations in the order in which they were made.
package struct OrganizationPage: Hashable, Sendable {
    package let organizations: [Organization]
    /// The last organization that was looked at; `nil` when there is none behind it.
    package let next: OrganizationID?

    package init(organizations: [Organization], next: OrganizationID?) {
        self.organizations = organizations
        self.next = next
    }
}
