package import Identifiers
package import Ledger

/// Proofs that entries are in a ledger, each with its checkpoint (C2SP tlog-proof).
package struct LedgerProofs: Sendable {
    let ledgers: any LedgerStore
    let signer: CheckpointSigner

    package init(ledgers: any LedgerStore, signer: CheckpointSigner) {
        self.ledgers = ledgers
        self.signer = signer
    }

    /// - Returns: `nil` if the ledger does not have the decision.
    package func proof(of decision: DecisionID, in organization: OrganizationID) async throws -> [UInt8]? {
        try await proof(of: try await ledgers.entry(of: decision, in: organization), organization)
    }

    /// - Returns: `nil` if the ledger does not have the consent record.
    package func proof(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> [UInt8]? {
        try await proof(of: try await ledgers.entry(of: consent, in: organization), organization)
    }

    /// If the entry is newer than the last checkpoint, a checkpoint is signed first.
    private func proof(of item: LedgerItem?, _ organization: OrganizationID) async throws -> [UInt8]? {
        guard let item else {
            // The entry may have been in the closed ledger before.
            if let reason = signer.reason(for: organization) { throw reason }
            return nil
        }
        var signed = try await signer.newest(of: organization)
        if signed.head.size <= item.leaf { signed = try await signer.checkpoint(of: organization) }
        let inclusion = try await ledgers.inclusionProof(of: item.leaf, in: signed.head.size, of: organization)
        // In a closed ledger, only entries that still lead to its last checkpoint are proved.
        if let reason = signer.reason(for: organization), inclusion?.holds(for: item, in: signed.head) != true {
            throw reason
        }
        return inclusion.map { TLogProof(extra: item.extra, inclusion: $0, note: signed.note).bytes }
    }
}
