package import Cryptography
package import Identifiers
package import PostgresClient
import SQL
package import SQLStorage
package import StoragePorts

/// Every store, in a database of a PostgreSQL server.
///
///     let storage = try await PostgresStorage.open(
///         settings, folder: id, isNew: true, node: node, erasureKey: key, ledgerHost: host, observer: follower,
///         clock: clock)
///     try await follower.catchUp(with: storage.stores.rules)
///
/// Several nodes may have a database open; their transactions take turns (`WriterLock`). Personal data is sealed under
/// a key that the server never sees.
package struct PostgresStorage: Sendable {
    package let stores: SQLStores
    /// Tells the database from its copies: the server's own number, and that of the database on it. Standbys and what a
    /// physical backup restores have the same. `nil` if the role may not read it.
    package let databaseNumber: String?

    private let database: PostgresDatabase
    private let upkeep: DatabaseUpkeep
    private let feed: NodeFeed
    private let fence: NodeFence
    private let demand: SealDemand

    /// Connects to a database that has the schema. Blocks a thread of its own, not the caller.
    /// - Parameters:
    ///   - folder: the data folder that the database belongs to. It is noted in a database that has no such note yet.
    ///   - move: the folder's present move, if the database is a side of it.
    ///   - isNew: whether nothing was ever stored for that folder. For any other folder, an empty database is refused.
    ///   - node: this node; `nil` for a process that is not a node and does not follow the rules.
    ///   - seen: the last change of the rules that the node's mirror has; `nil` if there is none.
    ///   - clusterKey: opens the secrets of all nodes; `nil` for a node that has no key yet. A node is entered only if
    ///     its key opens the secrets in the database.
    ///   - erasureKey: 32 bytes from outside the database, always the same ones. Another key is refused, because with
    ///     it no recipient in the database would be found.
    ///   - isReadOnly: whether the stores refuse every write, while the folder is moved to another storage.
    ///   - seals: what the folder knows of the demand for seals of ledgers.
    ///   - tellOfSeals: is called with what the log should have of that demand.
    ///   - ledgerHost: the host with which the names of new ledgers begin.
    ///   - observer: is informed of every change of the rules, as `stores.rules` has it.
    ///   - clock: gives the time of everything that is stored; must never go back.
    ///   - noteTime: is called with the times that the database tells, here and at each poll.
    ///   - willWait: is called with the time that it may wait for another process with the node's identity to end.
    /// - Throws: a `StoreFailure` that says why the database cannot be used.
    package static func open(
        _ settings: PostgresSettings, folder: FolderID, move: DatabaseMove? = nil, isNew: Bool, node: NodeIdentity?,
        seen: RuleCursor? = nil, clusterKey: SecretBytes? = nil, erasureKey: SecretBytes,
        seals memory: SealMemory = .none, tellOfSeals: @escaping @Sendable (SealDemandEvent) -> Void = { _ in },
        ledgerHost: String, isReadOnly: Bool = false, observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp,
        noteTime: @escaping @Sendable (ToldTime) -> Void = { _ in },
        willWait: @escaping @Sendable (Duration) -> Void = { _ in }
    ) async throws -> PostgresStorage {
        try await PostgresThread().run {
            try openNow(
                settings, folder: folder, move: move, isNew: isNew, node: node, seen: seen,
                clusterKey: clusterKey, erasureKey: erasureKey, seals: memory, tellOfSeals: tellOfSeals,
                ledgerHost: ledgerHost, isReadOnly: isReadOnly, observer: observer, clock: clock, noteTime: noteTime,
                willWait: willWait)
        }
    }

    /// Whether opening may succeed later without a repair: the server cannot be reached, is starting, still has a lost
    /// connection, or waits for a standby.
    package static func isUnreachable(_ failure: any StoreFailure) -> Bool {
        guard let error = failure as? PostgresError else { return failure as? StorageError == .busy }
        return error.isRetryable || error.reason == .unconfirmed
    }

    /// Opens like `open`, but blocks the thread.
    static func openNow(
        _ settings: PostgresSettings, folder: FolderID, move: DatabaseMove? = nil, isNew: Bool, node: NodeIdentity?,
        seen: RuleCursor? = nil, clusterKey: SecretBytes? = nil, erasureKey: SecretBytes,
        seals memory: SealMemory = .none, tellOfSeals: @escaping @Sendable (SealDemandEvent) -> Void = { _ in },
        ledgerHost: String, isReadOnly: Bool = false, observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp,
        noteTime: @escaping @Sendable (ToldTime) -> Void = { _ in },
        willWait: @escaping @Sendable (Duration) -> Void = { _ in }
    ) throws -> PostgresStorage {
        let settings = settings.withOwnConnections()
        let hasher = RecipientHasher(key: erasureKey)
        let tenant = DatabaseTenant(folder: folder, move: move)
        let (seals, sealing) = (try LedgerSeals(erasureKey: erasureKey), SealingKeys(key: erasureKey))
        let ledgers = CommittedLedgers(seals: seals)
        let registration = try NodeRegistration.make(
            node, isRestored: !isNew, seen: seen, settings, noteTime: noteTime, willWait: willWait
        ) { db in
            try ErasureKeyCheck.check(hasher, db)
            try DatabaseOwner.check(tenant, isNew: isNew, db)
            if node != nil { try Vault.require(clusterKey, settings, db) }
        }
        let known = KnownGeneration(of: node?.id)
        let feed = NodeFeed(
            registration, settings, of: tenant, known: known, sealing: sealing, clock: clock, noteTime: noteTime)
        let database = try PostgresDatabase(
            settings, of: tenant, known: known, sealing: sealing, ledgers: LedgerWriting(ledgers, host: ledgerHost),
            slot: feed.slot,
            rules: SharedRuleLog(observer: observer, feed: feed), isReadOnly: isReadOnly, clock: clock)
        let (size, hasSeals): (Int64, Bool)
        do {
            try makeParts(settings, of: tenant, at: clock())
            (size, hasSeals) = try database.writeNow { db in
                _ = try DatabaseUpkeep.forget(db)
                return (try DatabaseUpkeep.databaseSize(db), try SealDemand.isBegun(db))
            }
            while try database.writeNow({ db in try ConsentCountFilling.step(db) }) {}
            while try database.writeNow({ db in try EvidenceWordFilling.step(db) }) {}
        } catch {
            database.close()
            throw error
        }
        let number = try? database.writeNow { db in try DatabaseUpkeep.databaseNumber(db) }
        let demand = SealDemand(seals, settings, of: tenant, sealing, tell: tellOfSeals) {
            if let number { return memory.note(number) }
            if !memory.demands(in: nil) { tellOfSeals(.notKept) }
        }
        if node != nil, hasSeals || memory.demands(in: number) { demand.begin() }
        if node != nil, !isReadOnly, !hasSeals { demand.beginInTime() }
        let fence = NodeFence(
            signs: { try await database.read { db in try NodeRow.signs(but: feed.slot, db) } }, own: { feed.applied })
        if node != nil { database.answer { cursor in await fence.wait(for: cursor.position) } }
        let stores = SQLStores(database, ledgers: ledgers, hasher: hasher, rules: .shared(feed))
        return PostgresStorage(
            stores: stores, databaseNumber: number, database: database,
            upkeep: DatabaseUpkeep(
                database, settings, of: tenant, databaseSize: size, clock: clock), feed: feed,
            fence: fence, demand: demand)
    }

    /// Ignores that a log is being read: then its partitions are made later.
    private static func makeParts(_ settings: PostgresSettings, of tenant: DatabaseTenant, at now: Timestamp) throws {
        do {
            try DatabaseUpkeep.makeParts(settings, of: tenant, at: now)
        } catch let error as PostgresError {
            guard error.storageError as? StorageError == .busy else { throw error.storageError }
        }
    }
}

extension PostgresStorage: OpenStorage {
    /// A copy of a database cannot be recognised here. If a database was restored to an earlier state, the ledgers'
    /// checkpoints, which are also in the data folder, reveal it.
    package var isCopy: Bool { false }

    package var status: StorageStatus {
        guard database.status == .working, let risk = upkeep.loss?.risk else { return database.status }
        return .unsafe(risk)
    }

    package var bytesOnServer: Int64? { upkeep.databaseSize }

    package func retryIfFull() async {
        switch status {
        // If it has not changed or is worse now, the status says so.
        case .full, .unreachable, .unusable: try? await database.probe()
        case .working, .unsafe, .readOnly, .failed: break
        }
    }

    package func makeRoom(from first: Timestamp, through last: Timestamp) async throws {
        try await database.transaction { db in try MonthlyPartitions.make(from: first, now: last, db) }
    }

    package func didFill() async throws { try await database.analyze() }

    package func askTime() async throws {
        try await database.read { [feed] db in
            try ServerTime.askLatest(db, tell: feed.noteTime)
            try ServerTime.ask(db, tell: feed.noteTime)
        }
    }

    package func refuseWrites(because reason: String) { database.refuseWrites(because: reason) }

    package func endSoon() { database.endSoon() }

    package var isEnding: Bool { database.isEnding }

    package var shared: (any SharedStorage)? { self }

    package func close() throws {
        upkeep.stop()
        demand.close()
        feed.close()
        database.close()
    }
}

extension PostgresStorage: SharedStorage {
    package var slot: NodeSlot { feed.slot }

    package var isFresh: Bool { feed.freshness.isFresh }

    package func wasFresh(at time: Timestamp) -> Bool {
        let isFresh = feed.freshness.isFresh
        return feed.periods.contain(time, isFresh: isFresh)
    }

    package var staleness: Duration? { feed.freshness.staleness }

    package var wasReplaced: Bool { feed.wasReplaced }

    package var waitingAtFence: Int { fence.waiting }

    package var fencePassages: FencePassages { fence.passages }

    package func waitForChange() async { await feed.wait() }

    package var peers: [String] { feed.peers }

    package func set(spooled: Int) { feed.set(spooled: spooled) }

    package var ringVersion: Int64 { feed.knownRing }

    package func set(ring version: Int64) { feed.set(ring: version) }

    package func nodes(withoutRing version: Int64) async throws -> [NodeName] {
        try await database.read { db in try NodeRow.withoutRing(version, db) }
    }

    package func leave() async { await feed.leave() }
}

extension PostgresStorage: NodeRegistry {
    package func nodes() async throws -> [Node] { try await database.read(NodeRow.all) }

    package func remove(_ name: NodeName, isForced: Bool) async throws -> NodeRemoval {
        try await database.transaction { db in try NodeRow.remove(name, isForced: isForced, db) }
    }
}
