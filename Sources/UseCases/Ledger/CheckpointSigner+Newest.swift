package import Identifiers
package import Ledger

extension CheckpointSigner {
    /// The newest checkpoint there is: it was signed before this was called and has whatever was in the ledger then.
    package func newest(of organization: OrganizationID) async throws -> SignedCheckpoint {
        guard let signed = last[organization] else { return try await checkpoint(of: organization) }
        guard store.isShared else { return signed }
        // Another node may have entered more. Where nothing can be signed, what was signed counts.
        return (try? await checkpoint(of: organization)) ?? last[organization] ?? signed
    }

    /// The newest checkpoint that this process has read or signed; `nil` before the first. It neither waits nor signs.
    package func signed(of organization: OrganizationID) -> SignedCheckpoint? { last[organization] }

    /// What an export is of: everything that is in the ledger now. Where the ledger is closed, nothing more is signed: the
    /// export gets the last signed checkpoint, and its verifier finds the difference.
    package func checkpointOfEvidence(of organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            return try await checkpoint(of: organization)
        } catch let reason as LedgerInconsistency {
            guard let signed = last[organization] else { throw reason }
            return signed
        }
    }
}
