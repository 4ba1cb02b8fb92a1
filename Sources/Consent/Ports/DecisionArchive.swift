package import Identifiers

/// Reads decisions as they were recorded. All calls may be concurrent.
package protocol DecisionArchive: Sendable {
    /// At most `limit` decisions that fit `query`, oldest first.
    func decisions(
        matching query: DecisionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [DecisionEntry]

    /// The decision with `id`; `nil` if the organization has none.
    func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry?

    /// The organization's decisions with these ids, in the order of `ids`.
    func decisions(_ ids: [DecisionID], in organization: OrganizationID) async throws -> [DecisionEntry]
}
