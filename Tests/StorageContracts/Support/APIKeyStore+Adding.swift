package import Identifiers
package import Organizations

extension APIKeyStore {
    /// Adds a key that no key makes.
    package func addKey(
        _ key: NewAPIKey, to organization: OrganizationID, at now: Timestamp
    ) async throws -> APIKey? {
        try await addKey(key, to: organization, by: nil, at: now)
    }
}
