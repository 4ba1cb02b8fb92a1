package import Identifiers

/// Records the answers of recipients about tracking, and erases recipients.
///
/// All calls may be concurrent. When a call returns, its writes are durable and the ``ConsentObserver`` has been
/// informed. If it throws, nothing was written, except for an erasure that has reported that it is durable.
package protocol ConsentRecorder: Sendable {
    /// Appends all of `records` or none.
    ///
    /// A grant for an erased recipient makes them known again, under a new reference. Records get the time of the
    /// store's clock inside the transaction, or `now` if that is later: in the order of the commits, no record is older
    /// than the one before.
    /// - Parameter fingerprint: the fingerprint of the request; it is stored together with the records, or neither is.
    /// - Returns: the stored records, in the order given.
    /// - Throws: `IdempotencyKeyTaken` if a request with the same idempotency key has had its effect.
    func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord]

    /// Records a withdrawal of the recipient behind a reference for each of `purposes`, unless a record that ends
    /// tracking is in force already and ``RepeatedRefusal`` does not record it once more. All of it is recorded with one
    /// time, or nothing is. The records in force are read in the transaction that appends, so concurrent calls add one
    /// record for each purpose.
    ///
    /// A withdrawal is also recorded if the recipient has no record, or only a consent that has ended.
    /// - Parameters:
    ///   - purposes: without duplicates.
    ///   - alsoOpens: whether the recipient read words for links and opens. Then ``Purpose/openTracking``, which must not
    ///     be among `purposes`, is withdrawn, too, if a message that asks about opens apart could record the recipient's.
    /// - Returns: one for each purpose, in the order given; after them, that for `openTracking` if it was withdrawn.
    func withdraw(
        _ reference: RecipientReference, for purposes: [Purpose], alsoOpens: Bool, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> [Withdrawal]

    /// Which of `purposes` have records in the organization, and the number of all purposes with records, counted up to
    /// `limit`. Takes a step in an index for each counted purpose. Until the records of an earlier version are counted,
    /// all of `purposes` are reported to have records.
    func recordedPurposes(
        among purposes: Set<Purpose>, in organization: OrganizationID, limit: Int
    ) async throws -> RecordedPurposes

    /// Erases a recipient: afterwards no file contains a byte of their identifier, and the rest of their records names
    /// no recipient. A keyed hash stays, so that they are not taken for a new recipient.
    ///
    /// - Parameter whenDurable: is called once when the erasure is durable and the ``ConsentObserver`` has been
    ///   informed, before files are cleared of deleted data.
    /// - Throws: if `whenDurable` was called before, the recipient is erased but files are not cleared. The caller must
    ///   repeat it.
    func erase(
        _ recipient: RecipientID, in organization: OrganizationID, whenDurable: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts

    /// Clears the files of the data of recipients who were erased before, in one attempt.
    /// - Throws: if a file is not cleared.
    func clearErased() async throws
}
