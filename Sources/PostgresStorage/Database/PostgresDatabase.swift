import Cryptography
import Identifiers
import Organizations
import PostgresClient
import SQL
import SQLStorage

/// The database that all stores share, on a PostgreSQL server.
final class PostgresDatabase: SQLDatabase {
    private static let readers = 4
    /// How long a service that starts waits for another connection to give the database up, such as a lost one of its own.
    private static let patience = Duration.seconds(15)
    private static let pause = Duration.milliseconds(200)

    let commits: GroupCommit
    private let health: StorageHealth
    private let thread: PostgresThread
    private let writer: PostgresWriter
    private let pool: PostgresPool
    private let sealing: SealingKeys

    /// Connects and takes the database. Blocks the thread.
    /// - Throws: a `StoreFailure`.
    init(
        _ settings: PostgresSettings, erasureKey: SecretBytes, ledgers: sending LedgerWriting,
        isReadOnly: Bool, clock: @escaping @Sendable () -> Timestamp
    ) throws {
        sealing = SealingKeys(key: erasureKey)
        health = StorageHealth()
        thread = PostgresThread()
        pool = PostgresPool(settings.location, password: settings.password, connections: Self.readers)
        let writer = PostgresWriter(thread, health: health, sealer: try sealing.sealer()) {
            try PostgresConnection(settings.location, password: settings.password)
        }
        self.writer = writer
        let box = UncheckedBox(ledgers)
        do {
            commits = try thread.runNow { [thread] in
                try Self.waiting(thread) {
                    try GroupCommit(writer, participant: box.value, isReadOnly: isReadOnly, clock: clock)
                }
            }
        } catch {
            throw writer.translating(error)
        }
    }

    private static func waiting<Value>(_ thread: PostgresThread, _ body: () throws -> Value) throws -> Value {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try body()
            } catch is WriterBusy where ContinuousClock.now < deadline {
                thread.sleep(for: pause)
            }
        }
    }

    var status: StorageStatus { commits.isReadOnly ? .readOnly : health.status }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            let value = try await pool.run { [sealing] connection in
                let storage = try StorageConnection.of(connection, sealing)
                return try connection.snapshot { try body(storage) }
            }
            health.noteAnswer()
            return value
        } catch {
            if (error as? PostgresError)?.isOfConnection == true { health.noteUnreachable() }
            throw health.note(writer.translating(error))
        }
    }

    /// Runs `body` in a transaction. For use while the service starts: blocks the thread.
    func writeNow<Value: Sendable>(_ body: @escaping @Sendable (any SQLConnection) throws -> Value) throws -> Value {
        try thread.runNow { [writer] in
            var value: Value?
            try writer.transaction { db in value = try body(db) }
            guard let value else { throw StorageError.unreadable }
            return value
        }
    }

    /// Writes the row of the writer once more.
    func probe() async throws {
        try await transaction { db in try db.statement("UPDATE writer SET generation = generation").run() }
    }

    /// Runs `body` in a transaction of its own, for what no store does.
    func transaction(_ body: @escaping @Sendable (any SQLConnection) throws -> Void) async throws {
        try await thread.run { [writer] in try writer.transaction(body) }
    }

    /// Tells the planner what the tables hold.
    func analyze() async throws {
        try await thread.run { [writer] in
            try writer.withConnection { db in
                try db.statement("ANALYZE").run()
                try writer.waitForAnswers()
            }
        }
    }

    /// The rows say nothing any more on return. Their old versions, which have names sealed, are gone once VACUUM has
    /// passed over the tables; it is asked for, and passes over what this role may not clean.
    func eraseResiduals() async throws {
        try await thread.run { [writer] in
            try writer.withConnection { db in
                for table in ["recipients", "consents", "consent_notices"] {
                    try? db.statement("VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF, SKIP_LOCKED) \(table)").run()
                    try? writer.waitForAnswers()
                }
            }
        }
    }

    /// A server that does not answer holds the end up no longer than this.
    private static let lastPatience = Duration.seconds(2)

    func endSoon() {
        writer.endSoon()
        pool.endSoon()
        Task.detached { [writer, pool] in
            try? await Task.sleep(for: Self.lastPatience)
            writer.interrupt()
            pool.interrupt()
        }
    }

    /// Ends all connections. Blocks the thread.
    func close() {
        _ = try? thread.runNow { [writer] in writer.close() }
        pool.close()
    }
}

/// Carries what lives on the writer's thread to its owner.
private struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
