package import Cryptography
package import Identifiers
import SQL
package import SQLStorage
import SQLiteFiles
package import StoragePorts

/// The embedded storage: every store, in one file.
///
///     let storage = try SQLiteStorage.open(folder: "data", erasureKey: key, ledgerHost: host, observer: follower, clock: clock)
///     try await follower.catchUp(with: storage.stores.rules)
///
/// Only one process at a time may have a folder open; the caller must ensure that.
package struct SQLiteStorage: Sendable {
    package static let fileName = "consentlink.db"

    package let stores: SQLStores
    /// Whether the main file is not the same file as at the last start.
    package let isCopy: Bool

    let database: SQLiteDatabase

    /// Opens the file of a folder, and makes it if there is none. The folder must exist. Blocks the thread.
    /// - Parameters:
    ///   - erasureKey: 32 bytes from outside the file, always the same ones. Another key is refused, because with it no
    ///     recipient in the file would be found.
    ///   - observer: is informed of every change of the rules, as `stores.rules` has it.
    ///   - isReadOnly: whether the stores refuse every write, while the folder is moved to another storage.
    ///   - ledgerHost: the host with which the names of new ledgers begin: the service's public host, and its port if
    ///     that is not the default.
    ///   - clock: gives the time of everything that is stored. It must never go back, also compared with what is stored
    ///     already (`stores.latestTime()`).
    package static func open(
        folder: String,
        erasureKey: SecretBytes,
        ledgerHost: String,
        isReadOnly: Bool = false,
        observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> SQLiteStorage {
        let hasher = RecipientHasher(key: erasureKey)
        let (ledgers, rules) = (CommittedLedgers(), RuleChangeBuffer(observer: observer))
        let path = "\(folder)/\(fileName)"
        // Before SQLite opens the file: a process that closes a descriptor of a file loses all its locks on it
        // (fcntl(2)). Without the locks, another program that opens and closes the database would remove its log.
        try PrivateFile.create(at: path)
        let identity = try FileIdentity(path: path)
        let database = try SQLiteDatabase(
            path: path, participant: LedgerWriting(ledgers, host: ledgerHost), rules: rules,
            isReadOnly: isReadOnly, clock: clock)
        do {
            try database.writeNow { db in try ErasureKeyCheck.check(hasher, db) }
            while try database.writeNow({ db in try ReportFilling.step(db) }) {}
            while try database.writeNow({ db in try ConsentCountFilling.step(db) }) {}
            while try database.writeNow({ db in try EvidenceWordFilling.step(db) }) {}
        } catch {
            // A refused folder must stay unchanged: without this, the log would stay next to the file.
            try? database.close()
            throw error
        }
        let isCopy = try identity.store(in: database)
        try PrivateFile.syncFolder(folder)
        let stores = SQLStores(database, ledgers: ledgers, hasher: hasher, rules: .ofOneProcess(rules))
        return SQLiteStorage(stores: stores, isCopy: isCopy, database: database)
    }

    /// Makes the log's files stay when the storage is closed; see ``DatabaseFile/keepLog()``. Blocks the thread.
    package func keepLog() throws { try database.file.keepLog() }

    /// Closes the file; the caller must not use the storage after that. Blocks the thread.
    package func close() throws { try database.close() }
}

extension SQLiteStorage: OpenStorage {
    package var status: StorageStatus { database.status }

    package var bytesOnServer: Int64? { nil }

    package func refuseWrites(because reason: String) { database.file.health.setFailed(reason) }

    package func retryIfFull() async {
        guard status == .full else { return }
        do {
            try await database.eraseResiduals()
            try await database.probe()
        } catch {
            // If it is still full or worse, the status says so.
        }
    }
}
