package import Cryptography
package import Identifiers
package import Organizations
import SQLiteFiles

/// The embedded storage: every store, in one file.
///
///     let storage = try SQLiteStorage.open(folder: "data", erasureKey: key, ledgerHost: host, observer: follower, clock: clock)
///     try await follower.catchUp(with: storage.rules)
///
/// One process at a time may have a folder open; the caller must make sure of that.
package struct SQLiteStorage: Sendable {
    package static let fileName = "consentlink.db"

    package let organizations: SQLiteOrganizationStore
    package let consents: SQLiteConsentStore
    package let consentRequests: SQLiteConsentRequestStore
    package let decisions: SQLiteDecisionLog
    package let messages: SQLiteMessageStore
    package let interactions: SQLiteInteractionStore
    package let reports: SQLiteReportStore
    package let requests: SQLiteIdempotencyStore
    package let retention: SQLiteRetentionStore
    package let leases: SQLiteJobLeaseStore
    package let ledgers: SQLiteLedgerStore
    package let rules: SQLiteRuleFeed
    /// Whether the main file is another one than at the last start.
    package let isCopy: Bool

    let database: SQLiteDatabase

    /// Opens the file of a folder, and makes the file when there is none. The folder must be there. Blocks the thread.
    /// - Parameters:
    ///   - erasureKey: 32 bytes from outside the file, always the same ones: with another key nobody in it
    ///     would be recognised, so it is refused.
    ///   - observer: is told of every change of the rules, as ``rules`` has it.
    ///   - ledgerHost: what the names of ledgers that begin from now on start with: the service's public host, and
    ///     the port where it has one of its own.
    ///   - clock: tells the time of everything that is stored; must never go back, also against what is stored already
    ///     (``latestTime()``).
    package static func open(
        folder: String,
        erasureKey: SecretBytes,
        ledgerHost: String,
        observer: any RuleObserver,
        clock: @escaping @Sendable () -> Timestamp
    ) throws -> SQLiteStorage {
        let people = RecipientHasher(key: erasureKey)
        let ledgers = CommittedLedgers()
        let database = try SQLiteDatabase(
            path: "\(folder)/\(fileName)",
            participant: LedgerWriting(ledgers, host: ledgerHost), clock: clock)
        do {
            try ErasureKeyCheck.check(people, database)
            try ReportFilling.run(database)
        } catch {
            // A refused folder is left as it was: without this the file's log would stay beside it.
            try? database.close()
            throw error
        }
        let isCopy = try FileIdentity(path: "\(folder)/\(fileName)").note(in: database)
        try PrivateFile.syncFolder(folder)
        return SQLiteStorage(
            LedgerClosing(database: database, ledgers: ledgers), changes: RuleChangeBuffer(observer: observer),
            people: people, clock: clock, isCopy: isCopy)
    }

    private init(
        _ closing: LedgerClosing,
        changes: RuleChangeBuffer,
        people: RecipientHasher,
        clock: @escaping @Sendable () -> Timestamp,
        isCopy: Bool
    ) {
        let database = closing.database
        self.database = database
        self.isCopy = isCopy
        organizations = SQLiteOrganizationStore(closing, observer: changes)
        let asked = RecipientLookupCache()
        let people = RecipientHashing(hasher: people, comparisons: RecipientComparisons(database))
        consents = SQLiteConsentStore(closing, observer: changes, people: people, asked: asked)
        consentRequests = SQLiteConsentRequestStore(closing, observer: changes, people: people)
        decisions = SQLiteDecisionLog(closing, observer: changes, people: people, asked: asked)
        messages = SQLiteMessageStore(closing, observer: changes)
        interactions = SQLiteInteractionStore(database, people: people)
        reports = SQLiteReportStore(closing)
        requests = SQLiteIdempotencyStore(database)
        retention = SQLiteRetentionStore(database)
        leases = SQLiteJobLeaseStore(database)
        ledgers = SQLiteLedgerStore(closing, people: people.hasher)
        rules = SQLiteRuleFeed(closing, changes: changes)
    }

    /// Closes the file, which nothing may use any more. Blocks the thread.
    package func close() throws { try database.close() }
}

extension SQLiteStorage: StorageInspection {
    package func latestTime() async throws -> Timestamp { try await database.read(LatestTime.read) }

    package func lastInteraction() async throws -> InteractionID? {
        try await database.read { db in try WriteContext.greatestNumber(in: "interactions", db) }
            .map(InteractionID.init)
    }

    package func organizationNames() async throws -> Set<String> {
        try await database.read { db in
            Set(try db.statement("SELECT id FROM organizations").all { $0.text(0) })
        }
    }
}

extension SQLiteStorage: StorageMaintenance {
    package var status: StorageStatus { database.status }

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
