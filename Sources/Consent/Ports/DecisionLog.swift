package import Identifiers

/// Keeps every decision, for ever. May be called at once from anywhere.
package protocol DecisionLog: Sendable {
    /// Appends all of `decisions` or none; durable on return.
    ///
    /// Makes a reference for a recipient who has none yet, except for an erased one: a decision about them names nobody.
    /// - Parameter mark: of the request that asks for it; it is kept together with the decisions, or neither is.
    /// - Returns: one for each decision, in the order given.
    /// - Throws: ``StaleStandings`` when somebody was erased since `erasures` was read: ask and decide again.
    ///   `RequestMarkTaken` when a request of that mark's key has had its effect.
    func append(
        _ decisions: [Decision], of message: MessageID, enforcement: Enforcement, in organization: OrganizationID,
        asOf erasures: ErasureCount, at now: Timestamp, once mark: RequestMark?
    ) async throws -> [RecordedDecision]

    /// The decisions of one append, by its first and its last, in its order. Those about somebody who was erased since
    /// permit no tracking any more.
    func decisions(
        from first: DecisionID, through last: DecisionID, in organization: OrganizationID
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

extension DecisionLog {
    package func append(
        _ decisions: [Decision], of message: MessageID, enforcement: Enforcement, in organization: OrganizationID,
        asOf erasures: ErasureCount, at now: Timestamp
    ) async throws -> [RecordedDecision] {
        try await append(
            decisions, of: message, enforcement: enforcement, in: organization, asOf: erasures, at: now, once: nil)
    }
}

/// Somebody was erased between asking and deciding.
package struct StaleStandings: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a recipient was erased while a decision was being made" }
}
