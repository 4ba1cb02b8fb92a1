package import Identifiers

/// Keeps what recipients did. May be called at once from anywhere.
package protocol InteractionStore: Sendable {
    /// Stores all of `occurrences` or none; durable on return. One whose id is stored already is passed over, so a
    /// drain that was interrupted may repeat itself.
    ///
    /// Gives each a position behind all that were readable before: no reader's place is overtaken by what a drain
    /// brings late.
    func store(_ occurrences: [SpooledOccurrence], at now: Timestamp) async throws

    /// What devices reported since `instant`, of recipients who are still known, without links that were followed.
    func reports(since instant: Timestamp) async throws -> [Occurrence]

    /// At most `limit` interactions that fit `query`, in the order of their positions, which is that of storing.
    func interactions(
        matching query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [Interaction]

    /// How many interactions of an organization are stored; 0 for one that is unknown. Takes no longer when there are
    /// more.
    func count(in organization: OrganizationID) async throws -> Int
}
