import Redirect
import SQL
import StoragePorts

/// The end of the work of a process: what is stored and signed before its databases are closed.
struct OrderlyEnd {
    private let stored: StorageParts
    private let finishing: (LedgerParts, RecordingParts)?
    private let isRestart: Bool

    /// - Parameters:
    ///   - finishing: what has something to store or to sign; `nil` if nothing may be written.
    ///   - isRestart: whether the program starts again in this process.
    init(of stored: StorageParts, _ finishing: (LedgerParts, RecordingParts)?, isRestart: Bool) {
        self.stored = stored
        self.finishing = finishing
        self.isRestart = isRestart
    }

    /// Ends the use of the databases, also where something fails before.
    func run() async throws {
        var noteSigned: () throws -> Void = {}
        do {
            if let (ledgers, recording) = finishing, stored.watch.check() == nil {
                noteSigned = try await finish(ledgers, recording)
            }
        } catch {
            try? stored.close()
            throw error
        }
        try stored.close()
        if stored.watch.check() == nil { try noteSigned() }
        // If the folder is no longer the service's, what was acknowledged may be lost with it: the process fails.
        if !isRestart { try stored.watch.require() }
    }

    /// Stores what is in the spool and signs the new entries, as far as that is quickly done, and tells the other nodes
    /// what stays in the spool for the next start.
    /// - Returns: the same as ``LedgerParts/finish()``; at a restart it does not throw.
    private func finish(_ ledgers: LedgerParts, _ recording: RecordingParts) async throws -> () throws -> Void {
        let noteSigned: Result<() throws -> Void, any Error>
        do {
            noteSigned = .success(try await drain(ledgers, recording))
        } catch {
            noteSigned = .failure(error)
        }
        // The last report of this node says how many clicks wait for its next start, after what was drained.
        stored.shared?.set(spooled: recording.writer.counters.held)
        await stored.shared?.leave()
        guard isRestart else { return try noteSigned.get() }
        let note = try noteSigned.get()
        return { try? note() }
    }

    private func drain(_ ledgers: LedgerParts, _ recording: RecordingParts) async throws -> () throws -> Void {
        guard ledgers.checker.checked.isOpen else { return {} }
        // Read before the drain: an outage of the database that begins later does not excuse a drain that failed.
        let mayFail = isRestart || stored.isUnreachable
        do {
            try await recording.drain.finish(within: .milliseconds(200))
        } catch StorageError.full {
            // The clicks stay in the spool for the next start.
        } catch {
            // At a restart, and while the database cannot be reached, the rest stays in the spool, too.
            guard mayFail || ServerPatience.isOfEnd(error) else { throw error }
        }
        return await ledgers.finish()
    }
}
