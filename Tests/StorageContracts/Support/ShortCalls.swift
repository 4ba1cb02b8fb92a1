package import Consent
package import Identifiers
package import Interactions
package import Messages

extension ConsentRecorder {
    package func erase(_ recipient: RecipientID, in organization: OrganizationID) async throws -> ErasureCounts {
        try await erase(recipient, in: organization) { _ in }
    }

    /// Without an idempotency key.
    package func append(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp
    ) async throws -> [ConsentRecord] {
        try await append(records, in: organization, at: now, fingerprint: nil)
    }

    package func withdraw(
        _ reference: RecipientReference, for purpose: Purpose, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> Withdrawal {
        try await withdraw(reference, for: [purpose], evidence: evidence, in: organization, at: now)[0]
    }

    /// In words that are not about opens as well.
    package func withdraw(
        _ reference: RecipientReference, for purposes: [Purpose], evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> [Withdrawal] {
        try await withdraw(
            reference, for: purposes, alsoOpens: false, evidence: evidence, in: organization, at: now)
    }
}

extension ConsentLookup {
    package func statuses(
        of recipients: [RecipientID], for purpose: Purpose, in organization: OrganizationID, at instant: Timestamp
    ) async throws -> ConsentStatuses {
        try await statuses(of: recipients, for: [purpose], in: organization, at: instant)
    }
}

extension ConsentArchive {
    /// All records about a recipient, oldest first; empty for an unknown one.
    package func history(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecord] {
        try await records(try await recordIDs(of: recipient, in: organization), in: organization)
    }
}

extension DecisionRecorder {
    /// Without an idempotency key.
    package func append(
        _ decisions: [Decision], of message: MessageID, in organization: OrganizationID, asOf basis: SnapshotBasis,
        at now: Timestamp
    ) async throws -> [RecordedDecision] {
        try await append(decisions, of: message, in: organization, asOf: basis, at: now, fingerprint: nil)
    }
}

extension MessageStore {
    /// Without an idempotency key.
    package func save(
        _ message: Message, in organization: OrganizationID, at now: Timestamp
    ) async throws -> (message: StoredMessage, isNew: Bool) {
        try await save(message, in: organization, at: now, fingerprint: nil)
    }
}

extension InteractionStore {
    /// Stores what was judged with every consent record.
    package func store(_ occurrences: [SpooledOccurrence], at now: Timestamp) async throws {
        let last = ConsentRecordID(rawValue: UInt64(Int64.max))
        let outdated = try await store(try await prepare(occurrences, judgedAsOf: last), at: now)
        precondition(outdated.isEmpty)
    }
}
