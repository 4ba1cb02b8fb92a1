package import Identifiers
package import Ledger

/// Proofs that something stands in a ledger, each with the checkpoint it leads to (C2SP tlog-proof).
package struct LedgerProofs: Sendable {
    let ledgers: any LedgerStore
    let signer: CheckpointSigner

    package init(ledgers: any LedgerStore, signer: CheckpointSigner) {
        self.ledgers = ledgers
        self.signer = signer
    }

    /// - Returns: `nil` for a decision that the ledger does not have.
    package func proof(of decision: DecisionID, in organization: OrganizationID) async throws -> [UInt8]? {
        try await proof(of: try await ledgers.entry(of: decision, in: organization), organization)
    }

    /// - Returns: `nil` for a consent record that the ledger does not have.
    package func proof(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> [UInt8]? {
        try await proof(of: try await ledgers.entry(of: consent, in: organization), organization)
    }

    /// What is newer than the last checkpoint is signed first.
    private func proof(of item: LedgerItem?, _ organization: OrganizationID) async throws -> [UInt8]? {
        guard let item else {
            // A closed ledger may have had it.
            if let reason = signer.reason(for: organization) { throw reason }
            return nil
        }
        var signed = try await signer.newest(of: organization)
        if signed.head.size <= item.leaf { signed = try await signer.checkpoint(of: organization) }
        let inclusion = try await ledgers.inclusionProof(of: item.leaf, in: signed.head.size, of: organization)
        if let reason = signer.reason(for: organization), !holds(inclusion, of: item, in: signed.head) { throw reason }
        return inclusion.map { TLogProof(extra: item.extra, inclusion: $0, note: signed.note).bytes }
    }

    /// A closed ledger proves what still leads to its last checkpoint, and nothing else.
    private func holds(_ inclusion: InclusionProof?, of item: LedgerItem, in head: TreeHead) -> Bool {
        guard let inclusion else { return false }
        var hasher = TreeHasher()
        return inclusion.holds(for: hasher.leaf(item.entry), in: head, &hasher)
    }
}
