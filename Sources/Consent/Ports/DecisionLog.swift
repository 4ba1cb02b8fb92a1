package import Identifiers

/// Keeps every decision, for ever. May be called at once from anywhere.
package protocol DecisionLog: Sendable {
    /// Appends all of `decisions` or none; durable on return.
    ///
    /// Makes a reference for a recipient who has none yet, except for an erased one: a decision about them names nobody.
    /// - Returns: one for each decision, in the order given.
    /// - Throws: ``StaleStandings`` when somebody was erased since `erasures` was read. Ask and decide again.
    func append(
        _ decisions: [Decision], of message: MessageID, enforcement: Enforcement, in organization: OrganizationID,
        asOf erasures: ErasureCount, at now: Timestamp
    ) async throws -> [RecordedDecision]

    /// At most `limit` decisions that fit `query`, oldest first.
    func decisions(
        matching query: DecisionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [DecisionEntry]

    /// The decision with `id`; `nil` when the organization has none such.
    func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry?

    /// How many payloads of a message were decided upon, by reason.
    func counts(of message: MessageID, in organization: OrganizationID) async throws -> [DecisionReason: Int]
}

/// Somebody was erased between asking and deciding.
package struct StaleStandings: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a recipient was erased while a decision was being made" }
}
