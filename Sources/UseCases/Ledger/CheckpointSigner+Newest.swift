package import Identifiers
package import Ledger

extension CheckpointSigner {
    /// The newest checkpoint. If only this process signs, it is the last one that was signed, and may lack newer
    /// entries. If other nodes sign too, or none was signed yet, it is one over every entry of the present ledger.
    package func newest(of organization: OrganizationID) async throws -> SignedCheckpoint {
        guard let signed = last[organization] else { return try await checkpoint(of: organization) }
        guard store.isShared else { return signed }
        // Another node may have entered more. If no checkpoint can be signed, the last signed one is used.
        return (try? await checkpoint(of: organization)) ?? last[organization] ?? signed
    }

    /// The newest checkpoint that this process has read or signed; `nil` before the first. It neither waits nor signs.
    func signed(of organization: OrganizationID) -> SignedCheckpoint? { last[organization] }

    /// The checkpoint for an export: over every entry of the present ledger. If the ledger is closed, nothing more is
    /// signed. The export then gets the last signed checkpoint, and its verifier finds the difference.
    package func checkpointOfEvidence(of organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            return try await checkpoint(of: organization)
        } catch let reason as LedgerInconsistency {
            guard let signed = last[organization] else { throw reason }
            return signed
        }
    }
}
