package import Cryptography
package import Identifiers
package import Organizations
import SQL
package import SQLStorage
import SQLiteFiles

/// The embedded storage: every store, in one file.
///
///     let storage = try SQLiteStorage.open(folder: "data", erasureKey: key, ledgerHost: host, observer: follower, clock: clock)
///     try await follower.catchUp(with: storage.stores.rules)
///
/// One process at a time may have a folder open; the caller must make sure of that.
package struct SQLiteStorage: Sendable {
    package static let fileName = "consentlink.db"

    package let stores: SQLStores
    /// Whether the main file is another one than at the last start.
    package let isCopy: Bool

    let database: SQLiteDatabase

    /// Opens the file of a folder, and makes the file when there is none. The folder must be there. Blocks the thread.
    /// - Parameters:
    ///   - erasureKey: 32 bytes from outside the file, always the same ones: with another key nobody in it
    ///     would be recognised, so it is refused.
    ///   - observer: is told of every change of the rules, as `stores.rules` has it.
    ///   - isReadOnly: whether the stores refuse every write, while the folder is moved to another storage.
    ///   - ledgerHost: what the names of ledgers that begin from now on start with: the service's public host, and
    ///     the port where it has one of its own.
    ///   - clock: tells the time of everything that is stored; must never go back, also against what is stored already
    ///     (`stores.latestTime()`).
    package static func open(
        folder: String,
        erasureKey: SecretBytes,
        ledgerHost: String,
        isReadOnly: Bool = false,
        observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> SQLiteStorage {
        let people = RecipientHasher(key: erasureKey)
        let (ledgers, rules) = (CommittedLedgers(), RuleChangeBuffer(observer: observer))
        let path = "\(folder)/\(fileName)"
        // Before SQLite opens the file: when a process closes a descriptor of a file it loses all its locks on it
        // (fcntl(2)). Without them another program that opens the database takes its log away when it closes it.
        try PrivateFile.create(at: path)
        let identity = try FileIdentity(path: path)
        let database = try SQLiteDatabase(
            path: path, participant: LedgerWriting(ledgers, host: ledgerHost), rules: rules,
            isReadOnly: isReadOnly, clock: clock)
        do {
            try database.writeNow { db in try ErasureKeyCheck.check(people, db) }
            while try database.writeNow({ db in try ReportFilling.step(db) }) {}
            while try database.writeNow({ db in try ConsentCountFilling.step(db) }) {}
            while try database.writeNow({ db in try EvidenceWordFilling.step(db) }) {}
        } catch {
            // A refused folder is left as it was: without this the file's log would stay beside it.
            try? database.close()
            throw error
        }
        let isCopy = try identity.note(in: database)
        try PrivateFile.syncFolder(folder)
        let stores = SQLStores(database, ledgers: ledgers, people: people, rules: .ofOneProcess(rules))
        return SQLiteStorage(stores: stores, isCopy: isCopy, database: database)
    }

    /// Keeps the log's files when the storage is closed, as ``DatabaseFile/keepLog()`` says. Blocks the thread.
    package func keepLog() throws { try database.file.keepLog() }

    /// Closes the file, which nothing may use any more. Blocks the thread.
    package func close() throws { try database.close() }
}

extension SQLiteStorage: OpenStorage {
    package var status: StorageStatus { database.status }

    package var bytesOnServer: Int64? { nil }

    package func refuseWrites(because reason: String) { database.file.health.noteLoss(reason) }

    package func retryIfFull() async {
        guard status == .full else { return }
        do {
            try await database.eraseResiduals()
            try await database.probe()
        } catch {
            // Still full, or worse; the status says which.
        }
    }
}
