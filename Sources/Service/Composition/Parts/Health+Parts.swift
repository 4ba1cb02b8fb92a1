import HTTPAPI
import Redirect
import SQLiteStorage
import UseCases

extension Health {
    /// Ready while the stores can be written, clicks can be spooled, the clock is right and the ledgers hold.
    init(_ stored: StorageParts, _ ledgers: LedgerParts, _ recording: RecordingParts) {
        let (storage, clock, writer) = (stored.storage, stored.clock, recording.writer)
        let (signer, checker) = (ledgers.signer, ledgers.checker)
        self.init {
            let spooling = writer.failure.map { "clicks cannot be recorded: \($0)" }
            let stores = [
                storage.status.reasonNotReady, storage.spool.status.reasonNotReady, spooling, clock.reasonNotReady,
                checker.reasonNotReady,
            ]
            .compactMap { $0 }
            return stores + signer.reasonsNotReady
        }
    }
}
