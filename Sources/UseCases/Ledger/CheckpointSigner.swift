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
    let archive: any CheckpointArchive
    let logger: Logger
    /// The newest checkpoint of each ledger, whether or not the ledger still agrees with it.
    private(set) var last: [OrganizationID: SignedCheckpoint] = [:]
    /// The operations on the checkpoints of each ledger.
    let operations = SerialWork<OrganizationID>()
    /// The ledgers with a stored checkpoint that was not signed with this key.
    private(set) var unverifiable: Set<OrganizationID> = []
    /// Guards the record, which metrics and readiness read on any thread.
    nonisolated let record = Mutex(SigningRecord())

    /// Signals that a ledger grew. Signals that are not yet consumed are merged into one.
    package nonisolated let growth: AsyncStream<Void>
    let grew: @Sendable () -> Void

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
