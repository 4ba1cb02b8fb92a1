package import Cryptography
package import Identifiers
package import Ledger
package import Logging
import Organizations
import Synchronization

/// Signs what the ledgers have come to, and nothing that does not agree with what it signed before.
///
/// A checkpoint is on disk, in a file of its own, before any client sees it. One that was signed is never taken back: a
/// ledger that departs from it is closed. So is a ledger beside which lies a checkpoint that it does not continue, from
/// any source: no checkpoint is replaced by a smaller one or by one of another tree.
package actor CheckpointSigner {
    let store: any CheckpointStore
    private let seed: SecretBytes
    private let archive: any CheckpointArchive
    let logger: Logger
    /// The newest checkpoint of each ledger, whether or not the ledger still agrees with it.
    private var last: [OrganizationID: SignedCheckpoint] = [:]
    private var underWay: [OrganizationID: Task<SignedCheckpoint, any Error>] = [:]
    /// What grew and could not be signed, for want of room or of file descriptors.
    private var unsigned: Set<OrganizationID> = []
    /// Beside which lies a checkpoint that this key did not sign.
    private var unverifiable: Set<OrganizationID> = []
    nonisolated let state = Mutex(State())

    /// Says that a ledger grew. What nobody waited for adds up to one.
    package nonisolated let growth: AsyncStream<Void>

    struct State {
        /// Why nothing is signed until a restart.
        var failure: CheckpointArchiveFailure?
        /// Why nothing could be signed the last time, where trying again may help.
        var shortage: CheckpointArchiveFailure?
        var signed: UInt64 = 0
        var failed: UInt64 = 0
        /// Checkpoints that should have been in the folder at the start.
        var missing: UInt64 = 0
        var lag = SigningLag()
    }

    package init(store: any CheckpointStore, seed: SecretBytes, archive: any CheckpointArchive, logger: Logger) {
        self.store = store
        self.seed = seed
        self.archive = archive
        self.logger = logger
        let (growth, grew) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.growth = growth
        store.onGrowth { grew.yield() }
    }

    /// Holds every ledger to its last checkpoint, and signs what was not signed when the process before ended. A ledger
    /// that departs is closed; the rest of the service goes on.
    ///
    /// - Parameters:
    ///   - sizes: of the ledgers before anything could be entered by this process; all of them have begun.
    ///   - check: is called before anything is signed, and may close ledgers.
    /// - Returns: whether every checkpoint could be read and is signed with this key.
    /// - Throws: what `check` throws, and `CancellationError`.
    package func begin(
        _ sizes: [OrganizationID: UInt64], check: @Sendable () async throws -> Void
    ) async throws -> Bool {
        // What it finds is more exact than that a tree departs from its checkpoint.
        try await check()
        try Task.checkCancellation()
        var missing: Set<OrganizationID> = []
        var isVerified = true
        for organization in sizes.keys {
            try await trying { if try await isCheckpointMissing(organization) { missing.insert(organization) } }
            // The ledger may be closed for another reason already, which then stands for all.
            let isHeld = try await trying { try await holdToCheckpoints(organization, signerKey(of: organization)) }
            if !isHeld, unverifiable.contains(organization) || reason(for: organization) == nil { isVerified = false }
        }
        // What has grown by now is signed below; what grows later is signed when it is told of.
        _ = store.takeGrown()
        for (organization, size) in sizes {
            try await trying {
                tellOfUnsigned(organization, size: size)
                let signed = try await checkpoint(of: organization)
                if missing.contains(organization) { try await archive.write(signed.bytes, of: organization) }
            }
        }
        return isVerified
    }

    /// A process that ended in good order has signed everything. What it has not is told of, for it may have been entered
    /// by somebody else.
    private func tellOfUnsigned(_ organization: OrganizationID, size: UInt64) {
        guard let signed = last[organization]?.head.size, reason(for: organization) == nil, size > signed else {
            return
        }
        logger.warning(
            "entries are signed now that were not when the last process ended",
            metadata: ["organization": "\(organization)", "first": "\(signed)", "last": "\(size - 1)"])
    }

    /// Whether a ledger has entries that must have been signed, and no checkpoint lies in the folder. The one in the
    /// database is used then. It proves less: an attacker who can change the ledger in the database can change it, too.
    private func isCheckpointMissing(_ organization: OrganizationID) async throws -> Bool {
        guard try await archive.read(of: organization) == nil else { return false }
        // A ledger that has just begun has one entry.
        var isSigned = try await store.checkpoint(of: organization) != nil
        if !isSigned { isSigned = try await store.head(of: organization).map { $0.head.size > 1 } ?? false }
        guard isSigned else { return false }
        state.withLock { $0.missing += 1 }
        logger.warning(
            "a ledger with entries has no checkpoint in the folder: it was moved away or lost",
            metadata: ["organization": "\(organization)"])
        return true
    }

    /// - Returns: whether `body` came to its end. A ledger that is closed was told of; other errors are logged.
    /// - Throws: `CancellationError` when the service is asked to end.
    @discardableResult
    private func trying(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return true
        } catch is LedgerInconsistency {
            return false
        } catch {
            // A statement that is interrupted throws an error of its own.
            try Task.checkCancellation()
            logger.error("a ledger cannot be signed", metadata: ["error": "\(error)"])
            return false
        }
    }

    /// Whether a checkpoint lies here that names a ledger of this organization.
    /// A file that cannot be read counts as one.
    package nonisolated func hasCheckpoint(of organization: OrganizationID) async -> Bool {
        do {
            return try await archive.read(of: organization) != nil
        } catch {
            return true
        }
    }

    /// Holds the ledger to the checkpoints in the file and in the database, as far as they are not the one signed last.
    ///
    /// - Throws: `LedgerInconsistency` when the ledger is not what a checkpoint says.
    private func holdToCheckpoints(_ organization: OrganizationID, _ key: SignerKey) async throws {
        var notes: [[UInt8]] = []
        if let note = try await archive.read(of: organization) { notes.append(note) }
        if let note = try await store.checkpoint(of: organization) { notes.append(Array(note.utf8)) }
        let known = last[organization]?.bytes
        let found = notes.filter { $0 != known }.map { try? SignedCheckpoint($0, by: key.verifier) }
        for signed in found.compactMap({ $0 }) where last[organization].map({ $0.head.size < signed.head.size }) ?? true
        {
            last[organization] = signed
        }
        for signed in found {
            guard let signed else {
                unverifiable.insert(organization)
                let reason = LedgerInconsistency(organization, .checkpoint)
                store.close(because: reason)
                throw reason
            }
            if let reason = try await store.check(organization, against: signed.head) { throw reason }
        }
    }

    /// The newest checkpoint there is: it was signed before this was called and has whatever was in the ledger then.
    package func newest(of organization: OrganizationID) async throws -> SignedCheckpoint {
        if let signed = last[organization] { return signed }
        return try await checkpoint(of: organization)
    }

    /// What an export is of: everything that is in the ledger now. Where the ledger is
    /// closed, nothing more is signed: the export gets the last signed checkpoint, and its verifier finds the difference.
    package func checkpointOfEvidence(of organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            return try await checkpoint(of: organization)
        } catch let reason as LedgerInconsistency {
            guard let signed = last[organization] else { throw reason }
            return signed
        }
    }

    /// A checkpoint over everything that is in the ledger now. A caller that asks while one is being signed gets the
    /// next.
    package func checkpoint(of organization: OrganizationID) async throws -> SignedCheckpoint {
        while let task = underWay[organization] { _ = try? await task.value }
        let task = Task {
            // The task removes itself before it ends. If its caller did, another caller could loop without end above:
            // awaiting a finished task does not suspend.
            defer { underWay[organization] = nil }
            return try await sign(organization)
        }
        underWay[organization] = task
        return try await task.value
    }

    package func verifier(of organization: OrganizationID) async throws -> VerifierKey {
        try await signerKey(of: organization).verifier
    }

    /// Signs every ledger that grew since the last time.
    ///
    /// - Returns: whether nothing is left to be tried again.
    @discardableResult
    package func signGrown() async -> Bool {
        let grown = store.takeGrown().union(unsigned)
        state.withLock { state in for organization in grown { state.lag.begin(organization, at: .now) } }
        for organization in grown {
            do {
                unsigned.remove(organization)
                _ = try await checkpoint(of: organization)
            } catch is LedgerInconsistency, is RequestRefusal {
                // A client that asks for the checkpoint gets the reason; readiness tells the operator.
            } catch let error as any StoreFailure where !error.isTransient {
                // The same.
            } catch {
                unsigned.insert(organization)
            }
        }
        return unsigned.isEmpty
    }

    /// For the end of a service: what nobody has signed yet.
    package func finish() async { await signGrown() }

    private func sign(_ organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            if let reason = store.breaks.first(where: { $0.organization == organization }) { throw reason }
            if let failure = state.withLock({ $0.failure }) { throw failure }
            let key = try await signerKey(of: organization)
            try await holdToCheckpoints(organization, key)
            guard let head = try await store.head(of: organization)?.head else { throw RequestRefusal.notFound }
            if let last = last[organization] {
                guard last.head != head else {
                    state.withLock { $0.lag.end(organization) }
                    return last
                }
                try await requireConsistent(head, with: last.head, organization)
            }
            let signed = key.sign(head)
            try await archive.write(signed.bytes, of: organization)
            last[organization] = signed
            try await store.keep(checkpoint: String(decoding: signed.bytes, as: UTF8.self), of: organization)
            state.withLock { state in
                state.signed += 1
                state.shortage = nil
                state.lag.end(organization)
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
        let reason = found ?? LedgerInconsistency(organization, .anotherTree(0...(max(last.size, 1) - 1)))
        store.close(because: reason)
        throw reason
    }

    private func signerKey(of organization: OrganizationID) async throws -> SignerKey {
        guard let origin = try await store.origin(of: organization) else { throw RequestRefusal.notFound }
        return try SignerKey(name: KeyName(origin), seed: seed)
    }

    private func note(_ error: any Error) {
        switch error {
        case let error as CheckpointArchiveFailure where error.isTransient:
            let isNew = state.withLock { state in
                state.failed += 1
                defer { state.shortage = error }
                return state.shortage == nil
            }
            if isNew { logger.error("checkpoints cannot be written", metadata: ["error": "\(error)"]) }
        case let error as CheckpointArchiveFailure:
            let isNew = state.withLock { state in
                state.failed += 1
                defer { state.failure = error }
                return state.failure == nil
            }
            if isNew { logger.error("nothing more is signed until a restart", metadata: ["error": "\(error)"]) }
        default: state.withLock { $0.failed += 1 }
        }
    }
}
