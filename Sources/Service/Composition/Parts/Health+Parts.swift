import HTTPAPI
import Redirect
import UseCases

extension Health {
    /// Ready while the stores can be written, clicks can be spooled, the clock is right and the ledgers hold.
    init(stored: StorageParts, ledgers: LedgerParts, recording: RecordingParts) {
        let (statuses, clock, writer) = (stored.statuses, stored.clock, recording.writer)
        let (signer, checker) = (ledgers.signer, ledgers.checker)
        self.init {
            let spooling = writer.failure.map { "clicks cannot be recorded: \($0)" }
            let parts = statuses().map(\.reasonNotReady) + [spooling, clock.reasonNotReady, checker.reasonNotReady]
            return parts.compactMap { $0 } + signer.reasonsNotReady
        }
    }
}
