import PostgresClient
import SQL
import SQLStorage
import StoragePorts
import Synchronization

/// Begins to demand the seals of ledgers (`LedgerSeals`), once no node of a version without seals writes any more.
///
/// One transaction, in its turn, seals each ledger that has no seal, and makes the column NOT NULL. From then on each
/// append of a node without seals fails, also that of one which was halted before and goes on: it closes no ledger.
/// Each node finds the column so, and demands seals as long as it runs, whatever becomes of the column. Its folder
/// keeps the number of the database for its next process.
final class SealDemand: Sendable {
    private static let interval = Duration.seconds(10)
    /// A ledger takes two round trips to the server at the first time; other writers wait meanwhile.
    private static let atOnce = 100
    /// Those that are sealed take one round trip together.
    private static let sealedAtOnce = 1_000
    private static let turnTimeout = "2s"
    /// The change of the column waits for transactions that read the table, such as a dump, and others wait behind it.
    private static let tableTimeout = "200ms"

    private let seals: LedgerSeals
    private let settings: PostgresSettings
    private let tenant: DatabaseTenant
    private let keys: SealingKeys
    private let note: @Sendable () -> Void
    /// Held while a step runs, so that ``close()`` waits for its end.
    private let steps: Mutex<Steps>
    private let attempts = Mutex<Task<Void, Never>?>(nil)

    private struct Steps {
        var isClosed = false
        /// Is kept for the next attempt.
        var present: PresentSeals
    }

    /// - Parameter note: is called once the demand has begun.
    init(
        _ seals: LedgerSeals, _ settings: PostgresSettings, of tenant: DatabaseTenant, _ keys: SealingKeys,
        note: @escaping @Sendable () -> Void
    ) {
        self.seals = seals
        steps = Mutex(Steps(present: PresentSeals(seals)))
        self.settings = settings
        self.tenant = tenant
        self.keys = keys
        self.note = note
    }

    /// Whether every node of a database must seal.
    static func isBegun(_ db: any SQLConnection) throws -> Bool {
        try db.statement(
            "SELECT attnotnull FROM pg_attribute WHERE attrelid = 'ledger_edges'::regclass AND attname = 'seal'"
        ).first { $0.bool(0) } ?? false
    }

    /// Makes the columns as they are in a new database, for rows that are copied without seals.
    static func reset(_ db: any SQLConnection) throws {
        try db.statement("DELETE FROM ledger_edges").run()
        try db.statement("ALTER TABLE ledger_edges ALTER seal DROP NOT NULL").run()
    }

    /// Demands seals from now on.
    func begin() {
        seals.demandAll()
        note()
    }

    /// Begins the demand once that is possible, in the background.
    func beginInTime() {
        let task = Task { [self] in
            while !seals.areDemanded {
                // If it cannot begin now, the next attempt may.
                try? await PostgresThread().run { [self] in try step() }
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
            }
        }
        attempts.withLock { $0 = task }
    }

    /// Begins the demand if that is possible now. Uses a connection of its own, and blocks the thread.
    /// - Throws: `StorageError.busy` if the table is being read or another process has the turn;
    ///   also what ``DatabaseOwner/require(_:_:)`` throws.
    func step() throws {
        try steps.withLock { steps in
            guard !steps.isClosed, !seals.areDemanded else { return }
            do {
                let connection = try PostgresConnection.open(settings, timeout: PostgresConnection.shortTimeout)
                defer { connection.close() }
                try DatabaseOwner.require(tenant, connection)
                guard try Self.isBegun(connection) || fill(connection, &steps.present) else { return }
            } catch let error as PostgresError {
                throw error.storageError
            }
            begin()
        }
    }

    /// From then on it uses no connection. Blocks the thread.
    func close() {
        attempts.withLock { $0?.cancel() }
        steps.withLock { $0.isClosed = true }
    }

    /// - Returns: whether the column is filled, and stays so. As durable on return as an append.
    private func fill(_ connection: PostgresConnection, _ present: inout PresentSeals) throws -> Bool {
        guard try !NodeRow.isAnyWithoutSeals(connection) else { return false }
        try PostgresCheck.requireDurableCommits(settings.durability, connection)
        let db = StorageConnection(connection, sealer: try keys.sealer())
        // First some at once, so that the last transaction has little to do.
        var last: Int64? = .min
        while let after = last {
            last = try Self.inTurn(connection) {
                try present.seal(after: after, count: Self.atOnce, db)
            }
        }
        return try Self.inTurn(connection) {
            // A node of an earlier version may have come back, and appended.
            guard try !NodeRow.isAnyWithoutSeals(db) else { return false }
            var last: Int64? = .min
            while let after = last { last = try present.seal(after: after, count: Self.sealedAtOnce, db) }
            try db.statement("SET LOCAL lock_timeout = '\(Self.tableTimeout)'").run()
            // A row of no organization is of no ledger.
            try db.statement("DELETE FROM ledger_edges WHERE seal IS NULL").run()
            try db.statement("ALTER TABLE ledger_edges ALTER seal SET NOT NULL").run()
            return true
        }
    }

    /// Runs `body` in a transaction while no other process writes.
    private static func inTurn<Value>(_ connection: PostgresConnection, _ body: () throws -> Value) throws -> Value {
        try connection.begin()
        do {
            try connection.statement("SET LOCAL lock_timeout = '\(turnTimeout)'").run()
            try connection.statement("SELECT FROM writer FOR UPDATE").first { _ in }
            let value = try body()
            try connection.commit()
            return value
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
