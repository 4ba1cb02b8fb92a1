package import Identifiers

/// Records what recipients say about being tracked, and erases recipients.
///
/// May be called at once from anywhere. When a call returns, what it wrote is durable and the ``ConsentObserver`` has been
/// told; when it throws, nothing was written, but for an erasure that said that it is durable.
package protocol ConsentRecorder: Sendable {
    /// Appends all of `records` or none.
    ///
    /// A grant for an erased recipient makes them known again, under a new reference. Records are timed by the store's
    /// clock inside the transaction, or by `now` where that is later: in the order of the commits, no record is older
    /// than one before.
    /// - Parameter fingerprint: of the request that asks for it; it is kept together with the records, or neither is.
    /// - Returns: the stored records, in the order given.
    /// - Throws: `IdempotencyKeyTaken` when a request with the same idempotency key has had its effect.
    func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord]

    /// Records that the recipient behind a reference withdraws, for each of `purposes` unless a record that ends tracking
    /// is in force already. All of it is recorded at one instant or nothing is. What is in force is read in the
    /// transaction that appends, so that asked twice at once it adds one record for each purpose.
    ///
    /// A consent that has run out, and none at all, are silence: a withdrawal is recorded after them, too.
    /// - Parameter purposes: none of them twice.
    /// - Returns: one for each purpose, in the order given.
    func withdraw(
        _ reference: RecipientReference, for purposes: [Purpose], evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> [Withdrawal]

    /// For which of `purposes` the organization has records, and for how many purposes it has any, counted up to `limit`.
    /// Costs a step in an index for each purpose that is counted. Until the records of an earlier version are counted,
    /// all of `purposes` are said to have some.
    func recordedPurposes(
        among purposes: Set<Purpose>, in organization: OrganizationID, limit: Int
    ) async throws -> RecordedPurposes

    /// Forgets a recipient: afterwards no file holds a byte of their identifier, and what remains of their records
    /// names no recipient. A keyed hash stays, so that they are not taken for a new recipient.
    ///
    /// - Parameter whenDurable: is called once when the erasure is durable and the ``ConsentObserver`` has been told,
    ///   before files are cleared of what was deleted.
    /// - Throws: when `whenDurable` was called before, the recipient is erased but files are not cleared. Call again.
    func erase(
        _ recipient: RecipientID, in organization: OrganizationID, whenDurable: @Sendable (Erasure) -> Void
    ) async throws -> Erasure
}

extension ConsentRecorder {
    package func erase(_ recipient: RecipientID, in organization: OrganizationID) async throws -> Erasure {
        try await erase(recipient, in: organization) { _ in }
    }

    package func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp
    ) async throws -> [ConsentRecord] {
        try await append(records, in: organization, at: now, fingerprint: nil)
    }

    /// As for several purposes.
    package func withdraw(
        _ reference: RecipientReference, for purpose: Purpose, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> Withdrawal {
        try await withdraw(reference, for: [purpose], evidence: evidence, in: organization, at: now)[0]
    }
}

/// Asks for the status of the recipient behind a reference at one time.
package struct ReferenceQuestion: Hashable, Sendable {
    package let reference: RecipientReference
    package let purpose: Purpose
    package let instant: Timestamp
    /// Whose recipient it should be, where the caller knows: a store may find the answer faster then. It is the same.
    package let organization: OrganizationID?

    package init(
        reference: RecipientReference, purpose: Purpose, instant: Timestamp, organization: OrganizationID? = nil
    ) {
        self.organization = organization
        self.reference = reference
        self.purpose = purpose
        self.instant = instant
    }
}

/// How many of a recipient's rows no longer name them.
package struct Erasure: Hashable, Sendable {
    package let consents: Int
    package let decisions: Int
    package let interactions: Int

    package init(consents: Int, decisions: Int, interactions: Int) {
        self.consents = consents
        self.decisions = decisions
        self.interactions = interactions
    }
}
