import Identifiers
import Ledger
import Logging
import Waiting

extension CheckpointSigner {
    /// Compares every ledger with the checkpoints that this process has signed or read, and with what it has committed
    /// since, and closes those that do not continue theirs. For a database that was restored to an earlier state while
    /// the service runs. Signs nothing.
    ///
    /// - Throws: the errors of the store and of the archive. Then some ledgers may not have been checked.
    package func holdAll() async throws {
        let committed = store.committedHeads
        let organizations = Set(last.keys).union(committed.keys)
        for organization in organizations.sorted(by: { $0.description < $1.description }) {
            do {
                try await operations.run(of: organization) {
                    try await self.hold(organization, to: committed[organization])
                }
            } catch is LedgerInconsistency {
                continue
            } catch RequestRefusal.notFound {
                let what =
                    last[organization] == nil
                    ? "a ledger that this node began" : "a ledger whose checkpoint is in the data folder"
                logger.critical("the database does not have \(what)", metadata: ["organization": "\(organization)"])
            }
        }
    }

    /// - Parameter committed: the ledger after the last commit of this process to it; `nil` if there was none. Its
    ///   newest entries may have been acknowledged and not signed.
    private func hold(_ organization: OrganizationID, to committed: TreeHead?) async throws {
        // First, so that the finding names all entries that are missing.
        if let committed, committed.size > last[organization]?.head.size ?? 0 {
            guard try await store.origin(of: organization) != nil else { throw RequestRefusal.notFound }
            if let reason = try await store.check(organization, against: committed) { throw reason }
        }
        _ = try await attempt(.holding, organization)
    }
}
