package import Consent
package import Counting
package import Identifiers
import StoragePorts
import Synchronization

/// Records the answers of recipients about tracking, and erases recipients. Counts what is durable.
package struct ConsentRecording: Sendable {
    private let recorder: any ConsentRecorder
    private let eraseSpooled: @Sendable () async throws -> Void
    private let gate: ErasureGate
    private let limit: PurposeLimit
    private let counted = CaseCounters<ConsentState>()
    private let erasures = CounterArray(count: 1)
    private let uncleared = UnclearedErasures()

    /// - Parameters:
    ///   - turns: shared with the backups that are made meanwhile.
    ///   - eraseSpooled: forgets clicks of erased recipients that are in the spool.
    package init(
        _ recorder: any ConsentRecorder, gate: ErasureGate = ErasureGate(),
        eraseSpooled: @escaping @Sendable () async throws -> Void
    ) {
        self.recorder = recorder
        limit = PurposeLimit(recorder)
        self.gate = gate
        self.eraseSpooled = eraseSpooled
    }

    /// Records all of `records` or none. Durable on return.
    ///
    /// - Returns: the stored records, in the order given.
    /// - Throws: `IdempotencyKeyTaken` if a request with the same idempotency key has had its effect; `TooManyPurposes`
    ///   only if all of the records are grants. A refusal or withdrawal is recorded, whatever else is in the request.
    package func record(
        _ records: [NewConsentRecord], in organization: OrganizationID, at now: Timestamp,
        fingerprint: IdempotencyFingerprint? = nil
    ) async throws -> [ConsentRecord] {
        if !records.contains(where: \.state.endsTracking) {
            let beyond = await grantsBeyondLimit(of: records, in: organization)
            guard beyond.isEmpty else { throw TooManyPurposes(Set(beyond.map { records[$0].purpose })) }
        }
        let stored = try await recorder.append(records, in: organization, at: now, fingerprint: fingerprint)
        counted.add(each: stored.lazy.map(\.state))
        return stored
    }

    /// The indices of the grants among `records` for more purposes than the organization may have, once the records
    /// before them are stored.
    package func grantsBeyondLimit(
        of records: [NewConsentRecord], in organization: OrganizationID
    ) async -> Set<Int> {
        await limit.beyond(
            records.map { PurposeLimit.Use(purpose: $0.purpose, isGrant: !$0.state.endsTracking) }, in: organization)
    }

    /// The purposes of intended grants that are more than the organization may have.
    func purposesBeyondLimit(_ purposes: [Purpose], in organization: OrganizationID) async -> Set<Purpose> {
        let uses = purposes.map { PurposeLimit.Use(purpose: $0, isGrant: true) }
        return Set(await limit.beyond(uses, in: organization).map { purposes[$0] })
    }

    /// Whether the organization may have consent records for other purposes than `purposes`. True if the store cannot be
    /// asked.
    package func mayHavePurposes(besides purposes: Set<Purpose>, in organization: OrganizationID) async -> Bool {
        let recorded = try? await recorder.recordedPurposes(
            among: purposes, in: organization, limit: purposes.count + 1)
        return recorded.map { $0.count != $0.known.count } ?? true
    }

    /// Records a withdrawal of the recipient behind a reference for each of `purposes`, unless a record that ends
    /// tracking is in force already and `RepeatedRefusal` does not record it once more. Durable on return.
    ///
    /// - Parameter alsoOpens: whether the recipient read words for links and opens; see ``ConsentRecorder``.
    /// - Returns: one for each purpose, in the order given; after them, that for `openTracking` if it was withdrawn, too.
    package func withdraw(
        _ reference: RecipientReference, for purposes: [Purpose], alsoOpens: Bool, evidence: ConsentEvidence,
        in organization: OrganizationID, at now: Timestamp
    ) async throws -> [Withdrawal] {
        let withdrawals = try await recorder.withdraw(
            reference, for: purposes, alsoOpens: alsoOpens, evidence: evidence, in: organization, at: now)
        for case .recorded(let record) in withdrawals { count(record) }
        return withdrawals
    }

    /// Erases a recipient. On return no file contains data that names the recipient.
    ///
    /// - Parameter whenDurable: is called once when the recipient is erased, before files are cleared.
    /// - Throws: ``UnclearedErasure`` if the recipient is erased but a file could not be cleared in time. The caller
    ///   repeats the call to know when it is cleared; ``clearErased()`` clears it, too.
    package func erase(
        _ recipient: RecipientID, in organization: OrganizationID,
        whenDurable: @Sendable (ErasureCounts) -> Void = { _ in }
    ) async throws -> ErasureCounts {
        try await gate.erasing { try await eraseInsideGate(recipient, in: organization, whenDurable: whenDurable) }
    }

    private func eraseInsideGate(
        _ recipient: RecipientID, in organization: OrganizationID, whenDurable: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts {
        let isDurable = Atomic(false)
        let mark = uncleared.mark
        do {
            let erasure = try await recorder.erase(recipient, in: organization) { erasure in
                isDurable.store(true, ordering: .releasing)
                erasures.add(at: 0)
                whenDurable(erasure)
            }
            try await eraseSpooled()
            uncleared.recordClearing(of: mark)
            return erasure
        } catch {
            guard isDurable.load(ordering: .acquiring) else { throw error }
            uncleared.add()
            guard let failure = error as? any StoreFailure else { throw error }
            throw UnclearedErasure(cause: failure)
        }
    }

    /// Tries once to clear the files that earlier erasures could not clear. Has no effect if there are none.
    /// - Returns: whether there were any. They are cleared.
    package func clearErased() async throws -> Bool {
        guard uncleared.count > 0 else { return false }
        try await gate.erasing {
            let mark = uncleared.mark
            try await recorder.clearErased()
            try await eraseSpooled()
            uncleared.recordClearing(of: mark)
        }
        return true
    }

    /// Counts a record that is durable.
    func count(_ record: ConsentRecord) { counted.add(1, record.state) }
}

extension ConsentRecording: MetricSource {
    package var metrics: [MetricFamily] {
        [
            .counters(
                "consentlink_consent_records_total", "Consent records that were stored, by state.",
                counted.counts.map { ([.init("state", $0.rawValue)], $1) }),
            .counter("consentlink_erasures_total", "Erasures that were carried out.", erasures[0]),
            .gauge(
                "consentlink_erasures_uncleared",
                "Erasures after which a file still contains data of the recipient, because the file is being read.",
                Double(uncleared.count)),
        ]
    }
}
