package import Identifiers

/// Stores organizations and their keys. All calls may be concurrent; writes are durable when the call returns. Callers
/// that change no organization should depend on one of the roles.
package protocol OrganizationStore: OrganizationDirectory, APIKeyStore {
    /// Makes an organization together with its first key.
    /// - Returns: the key; `nil` if the id is taken, and then nothing was made.
    func create(
        _ organization: Organization, firstKey: NewAPIKey, at now: Timestamp
    ) async throws -> APIKey?

    /// At most `limit` organizations behind `after`, in the order in which they were made. An organization whose
    /// settings cannot be read is left out; its ledger is closed.
    /// - Returns: `nil` if there is no organization `after`.
    func organizations(after: OrganizationID?, limit: Int) async throws -> OrganizationPage?

    /// Changes an organization. The consent observer is informed of a change of the enforcement before the call
    /// returns.
    /// - Returns: the changed organization; `nil` if there is none.
    func change(_ id: OrganizationID, by change: OrganizationChange, at now: Timestamp) async throws -> Organization?
}

/// Organizations in the order in which they were made.
package struct OrganizationPage: Hashable, Sendable {
    package let organizations: [Organization]
    /// The last organization of the page; `nil` if there is none behind it.
    package let next: OrganizationID?

    package init(organizations: [Organization], next: OrganizationID?) {
        self.organizations = organizations
        self.next = next
    }
}
