import Identifiers
import Ledger
import Logging
import Waiting

extension CheckpointSigner {
    /// Compares every ledger with the checkpoints that this process has signed or read, and closes those that do not
    /// continue theirs. For a database that was restored to an earlier state while the service runs. Signs nothing.
    ///
    /// - Throws: the errors of the store and of the archive. Then some ledgers may not have been checked.
    package func holdAll() async throws {
        for organization in last.keys.sorted(by: { $0.description < $1.description }) {
            do {
                try await operations.run(of: organization) { _ = try await self.attempt(.holding, organization) }
            } catch is LedgerInconsistency {
                continue
            } catch RequestRefusal.notFound {
                logger.critical(
                    "the database does not have a ledger whose checkpoint is in the data folder",
                    metadata: ["organization": "\(organization)"])
            }
        }
    }
}
