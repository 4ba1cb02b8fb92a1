import Cryptography
import Identifiers

/// A recipient as a caller names them, with the hash by which the storage finds them.
struct NamedRecipient: Sendable {
    let name: RecipientID
    let key: RecipientKey
    let hash: HMACSHA256.Tag
}

/// Makes the hashes by which the recipients of an organization are found.
struct RecipientHashing: Sendable {
    let hasher: RecipientHasher
    let comparisons: RecipientComparisons

    /// The recipients for `names`, in the same order; `nil` if there is no such organization.
    func people(
        named names: some Collection<RecipientID> & Sendable, in organization: OrganizationID
    ) async throws -> [NamedRecipient]? {
        guard let comparison = try await comparisons.comparison(in: organization) else { return nil }
        return try hasher.people(named: names, in: organization, by: comparison)
    }

    /// - Returns: `nil` if there is no such organization.
    func hash(of name: RecipientID, in organization: OrganizationID) async throws -> HMACSHA256.Tag? {
        try await people(named: CollectionOfOne(name), in: organization)?.first?.hash
    }
}
