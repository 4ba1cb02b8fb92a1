package import Identifiers

/// Records decisions before the payloads that they govern leave. May be called at once from anywhere.
package protocol DecisionRecorder: Sendable {
    /// Appends all of `decisions` or none; durable on return.
    ///
    /// A decision carries the time at which it is appended, by the log's clock inside the transaction, or `now` where
    /// that is later, and its verdict holds at that time by the records committed before it. Where consent or its end
    /// changed since `basis`, the log judges again by the same policy.
    ///
    /// Tells the ``ConsentObserver`` whom a decision tracks for one activity while nothing was said about the other: a
    /// tracking ID is made for them, and the other activity must not be recorded.
    ///
    /// Makes a reference for a recipient who has none yet, except for an erased one: a decision about them names nobody.
    /// - Parameters:
    ///   - decisions: about clicks and opens together where the message has one purpose; otherwise for each recipient one
    ///     about clicks, followed by one about opens.
    ///   - basis: of the answer that the verdicts rest on; they were given by the enforcement of that answer.
    ///   - fingerprint: of the request that asks for it; it is kept together with the decisions, or neither is.
    /// - Returns: one for each decision, in the order given. Its reason is that of the verdict that was stored.
    /// - Throws: ``StaleSnapshot`` when the organization has another ``OrganizationEpoch`` than `basis`: a recipient was
    ///   erased since, or the enforcement changed. Ask and decide again. `IdempotencyKeyTaken` when a request
    ///   with the same idempotency key has had its effect.
    func append(
        _ decisions: [Decision], of message: MessageID, in organization: OrganizationID, asOf basis: SnapshotBasis,
        at now: Timestamp, fingerprint: IdempotencyFingerprint?
    ) async throws -> [RecordedDecision]

    /// The decisions of one append, by its first and its last, in its order. Those about a recipient who was erased
    /// since permit no tracking any more.
    func decisions(
        from first: DecisionID, through last: DecisionID, in organization: OrganizationID
    ) async throws -> [RecordedDecision]
}

extension DecisionRecorder {
    package func append(
        _ decisions: [Decision], of message: MessageID, in organization: OrganizationID, asOf basis: SnapshotBasis,
        at now: Timestamp
    ) async throws -> [RecordedDecision] {
        try await append(decisions, of: message, in: organization, asOf: basis, at: now, fingerprint: nil)
    }
}

/// A recipient was erased, or the enforcement changed, between asking and appending.
package struct StaleSnapshot: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a recipient was erased or the enforcement changed while it was decided" }
}
