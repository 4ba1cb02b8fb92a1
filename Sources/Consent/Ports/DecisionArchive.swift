package import Identifiers

/// Reads decisions as they were recorded. May be called at once from anywhere.
package protocol DecisionArchive: Sendable {
    /// At most `limit` decisions that fit `query`, oldest first.
    func decisions(
        matching query: DecisionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [DecisionEntry]

    /// The decision with `id`; `nil` when the organization has none such.
    func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry?

    /// Those of the organization's decisions that have these ids, in the order of `ids`.
    func decisions(_ ids: [DecisionID], in organization: OrganizationID) async throws -> [DecisionEntry]
}
