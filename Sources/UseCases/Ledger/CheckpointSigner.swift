package import Cryptography
package import Identifiers
package import Ledger
package import Logging
import Synchronization
import Waiting

/// Signs the present state of the ledgers, if it agrees with everything that was signed before.
///
/// A checkpoint is stored in a file of its own before any client gets it. A signed checkpoint is never taken back: a
/// ledger that departs from it is closed. A ledger is also closed if it does not continue a checkpoint in the archive
/// or in the store, wherever that came from. No checkpoint is replaced by a smaller one or by one of another tree.
package actor CheckpointSigner {
    let store: any CheckpointStore
    private let seed: SecretBytes
    /// Derived from the seed with the first ledger.
    private var privateKey: Ed25519PrivateKey?
    private let archive: any CheckpointArchive
    let logger: Logger
    /// The newest checkpoint of each ledger, whether or not the ledger still agrees with it.
    private(set) var last: [OrganizationID: SignedCheckpoint] = [:]
    /// The operations on the checkpoints of each ledger.
    let operations = SerialWork<OrganizationID>()
    /// The ledgers with a stored checkpoint that was not signed with this key.
    private var unverifiable: Set<OrganizationID> = []
    /// Guards the record, which metrics and readiness read on any thread.
    nonisolated let record = Mutex(SigningRecord())

    /// Signals that a ledger grew. Signals that are not yet consumed are merged into one.
    package nonisolated let growth: AsyncStream<Void>
    private let grew: @Sendable () -> Void

    package init(store: any CheckpointStore, seed: SecretBytes, archive: any CheckpointArchive, logger: Logger) {
        self.store = store
        self.seed = seed
        self.archive = archive
        self.logger = logger
        let (growth, grew) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.growth = growth
        self.grew = { grew.yield() }
        store.onGrowth(self.grew)
    }

    /// Compares every ledger with its last checkpoint, and signs what was not signed when the last process ended. A
    /// ledger that departs is closed; the rest of the service continues.
    ///
    /// - Parameters:
    ///   - sizes: the sizes of the ledgers before this process entered anything; all of them have begun.
    ///   - isNew: whether the folder cannot have any checkpoint yet, even if other nodes have signed.
    ///   - whole: the sizes of the ledgers that were signed as a whole when the last process ended, from
    ///     ``wholeLedgers()``. Empty if that is not known.
    ///   - check: is called before anything is signed, and may close ledgers.
    /// - Returns: whether every checkpoint could be read and is signed with this key.
    /// - Throws: the errors of `check`, and `CancellationError`.
    package func begin(
        _ sizes: [OrganizationID: UInt64], isNew: Bool = false, whole: [OrganizationID: UInt64] = [:],
        check: @Sendable () async throws -> Void
    ) async throws -> Bool {
        // First, because its findings are more exact than that a tree departs from its checkpoint.
        try await check()
        try Task.checkCancellation()
        let missing = try await missingCheckpoints(of: sizes.keys, isNew: isNew)
        var isVerified = true
        for organization in sizes.keys {
            // If the ledger was closed for another reason before, that reason stays.
            let isHeld = try await attempting(organization) { _ = try await attempt(.holding, organization) }
            if !isHeld, unverifiable.contains(organization) || reason(for: organization) == nil { isVerified = false }
        }
        // Growth up to here is signed below; later growth is signalled.
        _ = store.drainGrown()
        for (organization, size) in sizes {
            try await attempting(organization, isRetried: true) {
                try checkForUnsigned(organization, size: size, whole: whole[organization])
                let signed = try await checkpoint(of: organization)
                if missing.contains(organization) { try await archive.write(signed.bytes, of: organization) }
            }
        }
        try await rememberCheckpoints(of: sizes.keys)
        return isVerified
    }

    /// If other nodes sign, too, the next start must know which ledgers have a checkpoint here.
    private func rememberCheckpoints(of organizations: some Collection<OrganizationID>) async throws {
        guard store.isShared else { return }
        try await attempting {
            var present: Set<OrganizationID> = []
            for organization in organizations where try await archive.read(of: organization) != nil {
                present.insert(organization)
            }
            try await archive.remember(present)
        }
    }

    /// The ledgers whose entries must have been signed and which have no checkpoint in the folder. For them, the
    /// checkpoint in the database is used. It proves less, because an attacker who can change the ledger in the
    /// database can change it, too.
    private func missingCheckpoints(
        of organizations: some Collection<OrganizationID>, isNew: Bool
    ) async throws -> Set<OrganizationID> {
        var missing: Set<OrganizationID> = []
        for organization in organizations {
            try await attempting(organization) {
                if try await isCheckpointMissing(organization) { missing.insert(organization) }
            }
        }
        // A new node has none yet.
        for organization in isNew ? [] : missing {
            record.withLock { $0.countMissing() }
            logger.warning(
                "a ledger with entries has no checkpoint in the folder: it was moved away or lost",
                metadata: ["organization": "\(organization)"])
        }
        return missing
    }

    private func isCheckpointMissing(_ organization: OrganizationID) async throws -> Bool {
        guard try await archive.read(of: organization) == nil else { return false }
        // If a ledger began while this node was off, or this node never signed it, only other nodes have its
        // checkpoint.
        if store.isShared, try await !archive.mayHaveHad(organization) { return false }
        // A ledger that has just begun has one entry.
        var isSigned = try await store.checkpoint(of: organization) != nil
        if !isSigned { isSigned = try await store.head(of: organization).map { $0.head.size > 1 } ?? false }
        return isSigned
    }

    /// - Parameters:
    ///   - organization: the one whose ledger `body` is about; `nil` for all.
    ///   - isRetried: whether the ledger is tried again in a second if `body` fails.
    /// - Returns: whether `body` succeeded. A closed ledger was reported already; other errors are logged.
    /// - Throws: `CancellationError` if the service is asked to end.
    @discardableResult
    private func attempting(
        _ organization: OrganizationID? = nil, isRetried: Bool = false, _ body: () async throws -> Void
    ) async throws -> Bool {
        do {
            try await body()
            return true
        } catch is LedgerInconsistency {
            return false
        } catch {
            // An interrupted statement throws an error of its own.
            try Task.checkCancellation()
            var metadata: Logger.Metadata = ["error": "\(error)"]
            if let organization { metadata["organization"] = "\(organization)" }
            logger.error("a ledger cannot be signed", metadata: metadata)
            if let organization, isRetried {
                record.withLock { $0.recordUnsigned(organization, because: error) }
                grew()
            }
            return false
        }
    }

    /// Whether a checkpoint of a ledger of this organization is stored here.
    /// A file that is there and cannot be read counts as one.
    /// - Throws: `CheckpointArchiveFailure` if the process lacks what it needs to look, such as file descriptors.
    nonisolated func hasCheckpoint(of organization: OrganizationID) async throws(CheckpointArchiveFailure) -> Bool {
        do throws(CheckpointArchiveFailure) {
            return try await archive.read(of: organization) != nil
        } catch {
            guard !error.isTransient else { throw error }
            return true
        }
    }

    /// A checkpoint over every entry of the present ledger. A caller that asks while one is being signed gets the next
    /// one.
    package func checkpoint(of organization: OrganizationID) async throws -> SignedCheckpoint {
        try await operations.run(of: organization) { try await self.sign(organization) }
    }

    package func verifier(of organization: OrganizationID) async throws -> VerifierKey {
        try await signerKey(of: organization).verifier
    }

    private func sign(_ organization: OrganizationID) async throws -> SignedCheckpoint {
        do {
            if let reason = reason(for: organization) { throw reason }
            if let failure = record.withLock({ $0.failure }) { throw failure }
            switch try await attempt(.signing, organization) {
            case .signed(let signed):
                record.withLock { $0.recordCovered(organization, isNew: true) }
                return signed
            case .unchanged(let signed):
                record.withLock { $0.recordCovered(organization, isNew: false) }
                return signed
            case .held, .closed, .notFound, .outrun: throw RequestRefusal.notFound
            }
        } catch {
            if let notice = record.withLock({ $0.recordFailure(error) }) { notice.log(to: logger) }
            throw error
        }
    }

    /// Performs the actions of ``CheckpointStateMachine``.
    ///
    /// - Throws: `LedgerInconsistency` if it closes the ledger, and the errors of the store and of the archive.
    func attempt(
        _ purpose: CheckpointStateMachine.Purpose, _ organization: OrganizationID
    ) async throws -> CheckpointStateMachine.Ending {
        var machine = CheckpointStateMachine(
            organization, purpose, key: try await signerKey(of: organization), newest: last[organization])
        var action = machine.begin()
        var archived: [UInt8]?
        while true {
            switch action {
            case .readNotes:
                archived = try await archive.read(of: organization)
                let kept = try await store.checkpoint(of: organization).map { Array($0.utf8) }
                action = machine.found(archived: archived, kept: kept)
            case .compare(let head): action = machine.compared(try await store.check(organization, against: head))
            case .readHead:
                let found = try await store.head(of: organization)
                action = machine.found(head: found?.head, isSealed: found?.isSealed ?? true)
            case .seal(let head):
                try await store.seal(organization, at: head)
                action = machine.sealed()
            case .prove(let old, let new):
                action = machine.proved(
                    try await store.consistencyProof(from: old.size, to: new.size, in: organization))
            case .archive(let signed):
                try await archive.write(signed.bytes, of: organization)
                archived = signed.bytes
                action = machine.archived()
            case .keep(let signed, let head):
                do {
                    let note = String(decoding: signed.bytes, as: UTF8.self)
                    try await store.keep(checkpoint: note, of: organization, after: head)
                    action = machine.kept()
                } catch is CheckpointMoved {
                    action = machine.moved()
                }
            case .close(let reason):
                if machine.isUnverifiable { unverifiable.insert(organization) }
                store.close(because: reason)
                throw reason
            case .end(.closed(let reason)): throw reason
            case .end(.outrun): throw CheckpointMoved()
            case .end(let ending):
                // Another node has signed it, or the file was lost. The checkpoint that the ledger continues is stored
                // here, too.
                if purpose == .signing, let newest = machine.newest, newest.bytes != archived {
                    try await archive.write(newest.bytes, of: organization)
                }
                return ending
            }
            last[organization] = machine.newest
        }
    }

    /// - Throws: `LedgerInconsistency`, and closes the ledger, if it has the name of another one: the one seed signs for
    ///   all organizations.
    private func signerKey(of organization: OrganizationID) async throws -> SignerKey {
        guard let origin = try await store.origin(of: organization) else { throw RequestRefusal.notFound }
        guard let name = try? KeyName(origin), name.isLedger(of: organization) else {
            let reason = LedgerInconsistency(organization, .derived(.origin))
            store.close(because: reason)
            throw reason
        }
        let key = try privateKey ?? Ed25519PrivateKey(seed: seed)
        privateKey = key
        return SignerKey(name: name, key: key)
    }
}
