package import Cryptography
package import Identifiers
package import Organizations
package import PostgresClient
import SQL
package import SQLStorage

/// Every store, in a database of a PostgreSQL server.
///
///     try await PostgresSchema.initialise(settings, now: now)
///     let storage = try await PostgresStorage.open(
///         settings, folder: id, isNew: true, erasureKey: key, ledgerHost: host, observer: follower, clock: clock)
///     try await follower.catchUp(with: storage.stores.rules)
///
/// One service at a time writes to a database; another that tries is refused (``WriterClaim``). What names a person is
/// sealed under a key that the server never sees.
package struct PostgresStorage: Sendable {
    package let stores: SQLStores

    private let database: PostgresDatabase
    private let upkeep: DatabaseUpkeep

    /// Connects to a database that has the schema. Blocks a thread, and not the caller.
    /// - Parameters:
    ///   - folder: the data folder that the database belongs to. It is noted in a database in which none is.
    ///   - isNew: whether nothing was ever stored for that folder. An empty database is refused for any other.
    ///   - erasureKey: 32 bytes from outside the database, always the same ones: with another key nobody in it would be
    ///     recognised, so it is refused.
    ///   - isReadOnly: whether the stores refuse every write, while the folder is moved to another storage.
    ///   - ledgerHost: what the names of ledgers that begin from now on start with.
    ///   - observer: is told of every change of the rules, as `stores.rules` has it.
    ///   - clock: tells the time of everything that is stored; must never go back.
    /// - Throws: a `StoreFailure`: what keeps the database from being used.
    package static func open(
        _ settings: PostgresSettings, folder: FolderID, isNew: Bool, erasureKey: SecretBytes, ledgerHost: String,
        isReadOnly: Bool = false, observer: any RuleObserver, clock: @escaping @Sendable () -> Timestamp
    ) async throws -> PostgresStorage {
        try await PostgresThread().run {
            try openNow(
                settings, folder: folder, isNew: isNew, erasureKey: erasureKey, ledgerHost: ledgerHost,
                isReadOnly: isReadOnly, observer: observer, clock: clock)
        }
    }

    /// Whether a failure of opening may pass by itself: the server cannot be reached, or starts, or still holds a lost
    /// connection.
    package static func isUnreachable(_ failure: any StoreFailure) -> Bool {
        (failure as? PostgresError)?.isRetryable ?? (failure as? StorageError == .busy)
    }

    /// The same, blocking the thread.
    static func openNow(
        _ settings: PostgresSettings, folder: FolderID, isNew: Bool, erasureKey: SecretBytes, ledgerHost: String,
        isReadOnly: Bool = false, observer: any RuleObserver, clock: @escaping @Sendable () -> Timestamp
    ) throws -> PostgresStorage {
        let people = RecipientHasher(key: erasureKey)
        let ledgers = CommittedLedgers()
        let database = try PostgresDatabase(
            settings, erasureKey: erasureKey, ledgers: LedgerWriting(ledgers, host: ledgerHost),
            isReadOnly: isReadOnly, clock: clock)
        let size: Int64
        do {
            size = try database.writeNow { db in
                try ErasureKeyCheck.check(people, db)
                try FolderMark.check(folder, isNew: isNew, db)
                try DatabaseUpkeep.run(at: clock(), db)
                return try DatabaseUpkeep.databaseSize(db)
            }
        } catch {
            database.close()
            throw error
        }
        let stores = SQLStores(database, ledgers: ledgers, people: people, observer: observer)
        return PostgresStorage(
            stores: stores, database: database,
            upkeep: DatabaseUpkeep(
                database, durability: settings.durability, databaseSize: size, clock: clock))
    }
}

extension PostgresStorage: OpenStorage {
    /// A copy of a database cannot be told from it here. One that is put back to an earlier state is noticed by the ledgers'
    /// checkpoints, which are in the data folder too.
    package var isCopy: Bool { false }

    package var status: StorageStatus {
        guard database.status == .working, let loss = upkeep.loss else { return database.status }
        return .unsafe(loss.description)
    }

    package var bytesOnServer: Int64? { upkeep.databaseSize }

    package func retryIfFull() async {
        guard status == .full || status == .unreachable else { return }
        // Still so, or worse: the status says which.
        try? await database.probe()
    }

    package func makeRoom(from first: Timestamp, through last: Timestamp) async throws {
        try await database.transaction { db in try MonthlyPartitions.make(from: first, now: last, db) }
    }

    package func didFill() async throws { try await database.analyze() }

    package func endSoon() { database.endSoon() }

    package func close() throws {
        upkeep.stop()
        database.close()
    }
}
