package import Identifiers

/// Records decisions before their payloads are sent. All calls may be concurrent.
package protocol DecisionRecorder: Sendable {
    /// Appends all of `decisions` or none; durable on return.
    ///
    /// A decision carries the time of its append, by the log's clock inside the transaction, or `now` if that is later.
    /// Its verdict is valid at that time, by the records that were committed before it. If consent or its end has
    /// changed since `basis`, the log judges again by the same policy.
    ///
    /// Informs the ``ConsentObserver`` of recipients who are tracked for one activity and have no record for the other:
    /// they get a tracking ID, and the other activity must not be recorded.
    ///
    /// Makes a reference for a recipient who has none, except for an erased recipient: a decision about them names no
    /// recipient.
    /// - Parameters:
    ///   - decisions: about clicks and opens together if the message has one purpose; otherwise for each recipient one
    ///     about clicks, followed by one about opens.
    ///   - basis: the basis of the statuses from which the verdicts were made, by the enforcement in the same answer.
    ///   - fingerprint: the fingerprint of the request; it is stored together with the decisions, or neither is.
    /// - Returns: one for each decision, in the order given, with the reason of the stored verdict.
    /// - Throws: ``StaleSnapshot`` if the organization has another ``OrganizationEpoch`` than `basis`: a recipient was
    ///   erased since, or the enforcement changed. The caller must read and decide again. `IdempotencyKeyTaken` if a
    ///   request with the same idempotency key has had its effect.
    func append(
        _ decisions: [Decision], of message: MessageID, in organization: OrganizationID, asOf basis: SnapshotBasis,
        at now: Timestamp, fingerprint: IdempotencyFingerprint?
    ) async throws -> [RecordedDecision]

    /// The decisions of one append, given by its first and its last one, in its order. Decisions about a recipient who
    /// was erased since no longer permit tracking.
    func decisions(
        from first: DecisionID, through last: DecisionID, in organization: OrganizationID
    ) async throws -> [RecordedDecision]
}

/// A recipient was erased, or the enforcement changed, between reading and appending.
package struct StaleSnapshot: Error, CustomStringConvertible {
    package init() {}
    package var description: String { "a recipient was erased or the enforcement changed while it was decided" }
}
