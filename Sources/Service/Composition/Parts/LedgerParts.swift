import Ledger
import Logging
import Redirect
import SQLiteStorage
import ServiceLifecycle
import UseCases

/// The ledgers: signed as they grow, and held to what decisions are derived from.
struct LedgerParts {
    let signer: CheckpointSigner
    let checker: LedgerChecker
    let proofs: LedgerProofs

    /// Compares what is stored with the ledgers before anything is signed. A ledger that departs is closed.
    init(_ folder: borrowing DataFolder, _ stored: StorageParts, logger: Logger) async throws {
        let ledgers = stored.storage.ledgers
        let signer = CheckpointSigner(
            store: ledgers, seed: try folder.ledgerKey(), archive: try folder.checkpointFiles(), logger: logger)
        if stored.storage.isCopy { signer.warnOfCopy() }
        ledgers.onBreak { [gates = stored.gates] reason in
            gates.gate(of: reason.organization).close()
            reason.log(to: logger)
        }
        let checker = LedgerChecker(ledgers: ledgers, now: stored.now, logger: logger)
        try await signer.begin(at: stored.now()) { try await checker.checkAtStart() }
        self.signer = signer
        self.checker = checker
        proofs = LedgerProofs(ledgers: ledgers, signer: signer)
    }

    var services: [any Service] { [SignerService(signer: signer), checker] }
}
