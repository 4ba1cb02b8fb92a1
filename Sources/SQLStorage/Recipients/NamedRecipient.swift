import Cryptography
import Identifiers

/// A person as a caller names them, and what the storage finds them by.
struct NamedRecipient: Sendable {
    let name: RecipientID
    let key: RecipientKey
    let hash: HMACSHA256.Tag
}

/// Makes the hashes by which people of an organization are found.
struct RecipientHashing: Sendable {
    let hasher: RecipientHasher
    let comparisons: RecipientComparisons

    /// The people that `names` name, in the order given; `nil` when there is no such organization.
    func people(
        named names: some Collection<RecipientID> & Sendable, in organization: OrganizationID
    ) async throws -> [NamedRecipient]? {
        guard let comparison = try await comparisons.comparison(in: organization) else { return nil }
        return try hasher.people(named: names, in: organization, by: comparison)
    }

    /// - Returns: `nil` when there is no such organization.
    func hash(of name: RecipientID, in organization: OrganizationID) async throws -> HMACSHA256.Tag? {
        try await people(named: CollectionOfOne(name), in: organization)?.first?.hash
    }
}
