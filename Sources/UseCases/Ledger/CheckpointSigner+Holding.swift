import Identifiers
import Ledger
import Logging

extension CheckpointSigner {
    /// Holds every ledger to the checkpoints that this process has signed or read, and closes those that do not continue
    /// theirs. For a database that was put back to an earlier state while the service runs. Signs nothing.
    ///
    /// - Throws: what the store and the archive throw. Then some may not have been looked at.
    package func holdAll() async throws {
        for organization in last.keys.sorted(by: { $0.description < $1.description }) {
            do {
                _ = try await alone(organization) {
                    _ = try await self.attempt(.holding, organization)
                    return nil
                }
            } catch is LedgerInconsistency {
                continue
            } catch RequestRefusal.notFound {
                logger.critical(
                    "the database has no ledger any more of which there is a checkpoint",
                    metadata: ["organization": "\(organization)"])
            }
        }
    }
}
