package import Consent
package import Cryptography
package import Identifiers
package import Messages
package import Organizations
import SQLiteFiles

/// The embedded storage: every store, in one file.
///
///     let storage = try SQLiteStorage.open(folder: "data", erasureKey: key, observer: revocations, clock: clock)
///     try await storage.organizations.loadRecordingEnds(at: clock())
///
/// One process at a time may have a folder open; the caller must make sure of that.
package struct SQLiteStorage: Sendable {
    package static let fileName = "consentlink.db"

    package let organizations: SQLiteOrganizationStore
    package let consents: SQLiteConsentStore
    package let decisions: SQLiteDecisionLog
    package let messages: SQLiteMessageStore
    package let interactions: SQLiteInteractionStore
    package let requests: SQLiteIdempotencyStore
    package let retention: SQLiteRetentionStore
    package let ledgers: SQLiteLedgerStore
    /// Whether the main file is another one than at the last start: the folder was copied, or put back from a backup.
    package let isCopy: Bool

    let database: SQLiteDatabase

    /// Opens the file of a folder, and makes the file when there is none. The folder must be there. Blocks the thread.
    /// - Parameters:
    ///   - erasureKey: 32 bytes from outside the file, always the same ones: with another key nobody in it
    ///     would be recognised, so it is refused.
    ///   - observer: is told of every change of who may be recorded.
    ///   - ledgerHost: what the names of ledgers that begin from now on start with: the service's public host, and
    ///     the port where it has one of its own.
    ///   - messageObserver: is told of every new message and of each that is switched off or on.
    ///   - clock: tells the time of everything that is stored; must never go back, also against what is stored already
    ///     (``latestTime()``).
    package static func open(
        folder: String,
        erasureKey: SecretBytes,
        ledgerHost: String,
        observer: any ConsentObserver,
        messageObserver: (any MessageObserver)? = nil,
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> SQLiteStorage {
        let people = RecipientHasher(key: erasureKey)
        let ledgers = CommittedLedgers()
        let database = try SQLiteDatabase(
            path: "\(folder)/\(fileName)",
            participant: LedgerWriting(ledgers, host: ledgerHost), clock: clock)
        do {
            try ErasureKeyCheck.check(people, database)
        } catch {
            // A refused folder is left as it was: without this the file's log would stay beside it.
            try? database.close()
            throw error
        }
        let isCopy = try FileIdentity(path: "\(folder)/\(fileName)").note(in: database)
        try PrivateFile.syncFolder(folder)
        return SQLiteStorage(
            LedgerClosing(database: database, ledgers: ledgers), observer: observer,
            messageObserver: messageObserver, people: people,
            clock: clock, isCopy: isCopy)
    }

    private init(
        _ closing: LedgerClosing,
        observer: any ConsentObserver,
        messageObserver: (any MessageObserver)?,
        people: RecipientHasher,
        clock: @escaping @Sendable () -> Timestamp,
        isCopy: Bool
    ) {
        let database = closing.database
        self.database = database
        self.isCopy = isCopy
        organizations = SQLiteOrganizationStore(closing, observer: observer)
        let asked = RecipientLookupCache()
        let people = RecipientHashing(hasher: people, comparisons: RecipientComparisons(database))
        consents = SQLiteConsentStore(closing, observer: observer, people: people, asked: asked)
        decisions = SQLiteDecisionLog(closing, people: people, asked: asked)
        messages = SQLiteMessageStore(closing, observer: messageObserver)
        interactions = SQLiteInteractionStore(database, people: people)
        requests = SQLiteIdempotencyStore(database)
        retention = SQLiteRetentionStore(database)
        ledgers = SQLiteLedgerStore(closing, people: people.hasher)
    }

    /// The latest time that anything stored carries. A clock for this storage must not show an earlier one. Blocks the
    /// thread.
    package func latestTime() throws -> Timestamp {
        try database.readNow(LatestTime.read)
    }

    /// The greatest id of an interaction; `nil` when there is none. Blocks the thread.
    package func lastInteraction() throws -> InteractionID? {
        try database.readNow { db in try WriteContext.greatestNumber(in: "interactions", db) }.map(InteractionID.init)
    }

    /// Closes the file, which nothing may use any more. Blocks the thread.
    package func close() throws { try database.close() }
}

extension SQLiteStorage: StorageMaintenance {
    package var status: StorageStatus { database.status }

    package func retryIfFull() async {
        guard status == .full else { return }
        do {
            try await database.eraseResiduals()
            try await database.write { _ in }
        } catch {
            // Still full, or worse; the status says which.
        }
    }
}
