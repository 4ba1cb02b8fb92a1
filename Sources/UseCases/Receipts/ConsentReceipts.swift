package import Consent
package import Identifiers
package import Ledger
package import Organizations

/// Makes receipts of consent records for their recipients. It signs nothing: a record has a receipt once it is in a
/// checkpoint, which its ledger's signer makes about once a second.
package struct ConsentReceipts: Sendable {
    package enum Answer: Equatable, Sendable {
        case made(ConsentReceipt)
        /// There is no such record, or its recipient was erased.
        case notFound
        /// No signed checkpoint has the record yet, or the ledger is closed and cannot prove it.
        case notSigned
    }

    private let consent: any ConsentArchive
    private let organizations: any OrganizationDirectory
    private let ledgers: any LedgerStore
    private let signer: CheckpointSigner
    private let timeout: Duration
    private let pause: Duration

    /// - Parameters:
    ///   - timeout: how long it waits for a checkpoint.
    ///   - pause: the time between two looks for it.
    package init(
        consent: any ConsentArchive, organizations: any OrganizationDirectory, ledgers: any LedgerStore,
        signer: CheckpointSigner, timeout: Duration = .seconds(3), pause: Duration = .milliseconds(100)
    ) {
        self.consent = consent
        self.organizations = organizations
        self.ledgers = ledgers
        self.signer = signer
        self.timeout = timeout
        self.pause = pause
    }

    package func receipt(of record: ConsentRecordID) async throws -> Answer {
        guard let id = try await consent.organization(of: record),
            let organization = try await organizations.organization(id),
            let found = try await ledgers.entry(of: record, in: id), found.opening != nil
        else { return .notFound }
        guard let signed = try await checkpoint(of: id, having: found.leaf) else { return .notSigned }
        // The recipient may have been erased while this waited for a checkpoint.
        guard let item = try await ledgers.entry(of: record, in: id), item.opening != nil else { return .notFound }
        guard let inclusion = try await ledgers.inclusionProof(of: item.leaf, in: signed.head.size, of: id),
            // A changed row no longer leads to the signed tree, so it has no receipt.
            inclusion.holds(for: item, in: signed.head)
        else { return .notSigned }
        let proof = TLogProof(extra: item.extra, inclusion: inclusion, note: signed.note)
        return .made(try ConsentReceipt(proof, organizationName: organization.name))
    }

    /// - Returns: `nil` if there is none before ``timeout`` ends.
    private func checkpoint(of organization: OrganizationID, having leaf: UInt64) async throws -> SignedCheckpoint? {
        let end = ContinuousClock.now + timeout
        while true {
            if let signed = await signer.signed(of: organization), signed.head.size > leaf { return signed }
            guard ContinuousClock.now < end else { return nil }
            try await Task.sleep(for: pause)
        }
    }
}
