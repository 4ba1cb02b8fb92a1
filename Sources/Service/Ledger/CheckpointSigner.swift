import Counting
import Cryptography
import Identifiers
import Ledger
import Logging
import NIOPosix
import SQLiteStorage
import Synchronization

/// Signs what the ledgers have come to, and nothing that does not agree with what it signed before.
///
/// A checkpoint is on disk, in a file of its own, before anybody sees it. One that was signed is never taken back: a
/// ledger that departs from it is closed.
actor CheckpointSigner {
    private let store: any CheckpointStore
    private let seed: SecretBytes
    private let files: CheckpointFiles
    private let logger: Logger
    private var last: [OrganizationID: SignedCheckpoint] = [:]
    private var underWay: [OrganizationID: Task<SignedCheckpoint, any Error>] = [:]
    /// What grew and could not be signed, for want of room.
    private var unsigned: Set<OrganizationID> = []
    private nonisolated let state = Mutex(State())

    /// Says that a ledger grew. What nobody waited for adds up to one.
    nonisolated let growth: AsyncStream<Void>

    private struct State {
        /// Why nothing is signed until a restart.
        var failure: DataFolderError?
        var isFull = false
        var signed: UInt64 = 0
        var failed: UInt64 = 0
    }

    init(store: any CheckpointStore, seed: SecretBytes, files: CheckpointFiles, logger: Logger) {
        self.store = store
        self.seed = seed
        self.files = files
        self.logger = logger
        let (growth, grew) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.growth = growth
        store.onGrowth { grew.yield() }
    }

    /// Begins the ledgers that are not there yet, holds every one to its last checkpoint, and signs what was not signed
    /// when the process before ended. A ledger that departs is closed; the rest of the service goes on.
    func begin(at now: Timestamp) async throws {
        for organization in try await store.begin(at: now) {
            do {
                try await resume(organization)
                _ = try await checkpoint(of: organization)
            } catch let reason as LedgerBreak {
                tell(reason)
            } catch {
                logger.error("a ledger cannot be signed", metadata: ["error": "\(error)"])
            }
        }
        _ = store.takeGrown()
    }

    /// - Throws: `LedgerBreak` when the ledger is not what a checkpoint says, in the file or in the database.
    private func resume(_ organization: OrganizationID) async throws {
        let key = try await signerKey(of: organization)
        var notes: [[UInt8]] = []
        if let note = try files.read(of: organization) { notes.append(note) }
        if let note = try await store.checkpoint(of: organization) { notes.append(Array(note.utf8)) }
        for note in notes {
            guard let signed = try? SignedCheckpoint(note, by: key.verifier) else {
                let reason = LedgerBreak(organization, .checkpoint)
                store.close(because: reason)
                throw reason
            }
            if let reason = try await store.check(organization, against: signed.head) { throw reason }
            if last[organization].map({ $0.head.size < signed.head.size }) ?? true { last[organization] = signed }
        }
    }

    /// The newest checkpoint there is: it was signed before this was called and has whatever was in the ledger then.
    func newest(of organization: OrganizationID) async throws -> SignedCheckpoint {
        if let signed = last[organization] { return signed }
        return try await checkpoint(of: organization)
    }

    /// What an export is of: everything that is in the ledger now. Where that departs from what was signed, and nothing
    /// more is, the last one that was, so that whoever verifies the export finds what departs.
    func checkpointOfEvidence(of organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            return try await checkpoint(of: organization)
        } catch let reason as LedgerBreak {
            if let signed = last[organization] { return signed }
            let key = try await verifier(of: organization)
            guard let note = try files.read(of: organization), let signed = try? SignedCheckpoint(note, by: key) else {
                throw reason
            }
            return signed
        }
    }

    /// A checkpoint over everything that is in the ledger now. Whoever asks while one is being signed gets the next.
    func checkpoint(of organization: OrganizationID) async throws -> SignedCheckpoint {
        while let task = underWay[organization] { _ = try? await task.value }
        let task = Task {
            // It takes itself away before it ends. Were that left to whoever began it, somebody who waits could go round
            // without end: a task that is over is waited for without giving way to anybody.
            defer { underWay[organization] = nil }
            return try await sign(organization)
        }
        underWay[organization] = task
        return try await task.value
    }

    func verifier(of organization: OrganizationID) async throws -> VerifierKey {
        try await signerKey(of: organization).verifier
    }

    /// Signs every ledger that grew since the last time.
    ///
    /// - Returns: whether nothing is left to be tried again.
    @discardableResult
    func signGrown() async -> Bool {
        for organization in store.takeGrown().union(unsigned) {
            do {
                unsigned.remove(organization)
                _ = try await checkpoint(of: organization)
            } catch DataFolderError.full, StorageError.full, StorageError.busy {
                unsigned.insert(organization)
            } catch {
                // Whoever asks for it is told; the state says it to the operator.
            }
        }
        return unsigned.isEmpty
    }

    /// For the end of a service: what nobody has signed yet.
    func finish() async { await signGrown() }

    private func sign(_ organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            if let reason = store.breaks.first(where: { $0.organization == organization }) { throw reason }
            if let failure = state.withLock({ $0.failure }) { throw failure }
            let key = try await signerKey(of: organization)
            guard let head = try await store.head(of: organization)?.head else { throw Problem.notFound }
            if let last = last[organization] {
                guard last.head != head else { return last }
                try await requireConsistent(head, with: last.head, organization)
            }
            let signed = key.sign(head)
            try await write(signed.bytes, of: organization)
            last[organization] = signed
            try await store.keep(checkpoint: String(decoding: signed.bytes, as: UTF8.self), of: organization)
            state.withLock { state in
                state.signed += 1
                state.isFull = false
            }
            return signed
        } catch {
            note(error)
            throw error
        }
    }

    /// Tells from the hashes alone that the tree begins with the one that was signed last.
    private func requireConsistent(_ head: TreeHead, with last: TreeHead, _ organization: OrganizationID) async throws {
        var isConsistent = false
        if last.size <= head.size,
            let proof = try await store.consistencyProof(from: last.size, to: head.size, in: organization)
        {
            var hasher = TreeHasher()
            isConsistent = last.size == 0 || proof.holds(from: last, to: head, &hasher)
        }
        guard !isConsistent else { return }
        let found = try await store.check(organization, against: last)
        let reason = found ?? LedgerBreak(organization, .anotherTree(0...(max(last.size, 1) - 1)))
        store.close(because: reason)
        throw reason
    }

    /// On a thread of its own, for it waits for the disk.
    private func write(_ note: [UInt8], of organization: OrganizationID) async throws {
        try await NIOThreadPool.singleton.runIfActive { [files] in try files.write(note, of: organization) }
    }

    private func signerKey(of organization: OrganizationID) async throws -> SignerKey {
        guard let origin = try await store.origin(of: organization) else { throw Problem.notFound }
        return try SignerKey(name: KeyName(origin), seed: seed)
    }

    private func note(_ error: any Error) {
        switch error {
        case DataFolderError.full:
            let isNew = state.withLock { state in
                state.failed += 1
                defer { state.isFull = true }
                return !state.isFull
            }
            if isNew { logger.error("checkpoints cannot be written: the disk is full") }
        case let error as DataFolderError:
            let isNew = state.withLock { state in
                state.failed += 1
                defer { state.failure = error }
                return state.failure == nil
            }
            if isNew { logger.error("nothing more is signed until a restart", metadata: ["error": "\(error)"]) }
        case let reason as LedgerBreak:
            state.withLock { $0.failed += 1 }
            tell(reason)
        default: state.withLock { $0.failed += 1 }
        }
    }

    private var told: Set<LedgerBreak> = []

    private func tell(_ reason: LedgerBreak) {
        guard told.insert(reason).inserted else { return }
        logger.critical(
            "a ledger does not agree with what was signed; nothing more is entered into it",
            metadata: ["finding": "\(reason)"])
    }

    /// Why the service is not ready.
    nonisolated var impediments: [String] {
        let state = state.withLock { (failure: $0.failure, isFull: $0.isFull) }
        let failure = state.failure.map { "checkpoints cannot be signed until a restart: \($0)" }
        return [failure, state.isFull ? "checkpoints cannot be written: the disk is full" : nil].compactMap { $0 }
            + store.breaks.map { "a ledger is closed: \($0)" }.sorted()
    }

    nonisolated func warnOfCopy() {
        logger.warning(
            """
            this data folder is a copy: it was copied or put back since it was last used; what was recorded after the \
            copy was made is missing from it
            """)
    }
}

extension CheckpointSigner: MetricSource {
    nonisolated var metrics: [MetricFamily] {
        let (signed, failed) = state.withLock { ($0.signed, $0.failed) }
        return [
            .counter("consentlink_checkpoints_signed_total", "Checkpoints of ledgers that were signed.", signed),
            .counter(
                "consentlink_checkpoints_failed_total", "Checkpoints that should have been signed and were not.",
                failed),
        ]
    }
}
