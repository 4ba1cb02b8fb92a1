import Identifiers
import PostgresClient
import SQL
import SQLStorage
import Synchronization

/// What a database needs now and then, as long as a storage is open: parts of the logs for the coming months, and no more
/// write tokens than somebody may still ask for. Asks how large the database is, and more often whether its settings
/// still keep what is acknowledged.
final class DatabaseUpkeep: Sendable {
    private static let interval = Duration.seconds(10)
    /// In intervals.
    private static let turn = 60

    private let task: Task<Void, Never>
    private let seen: Seen

    /// In bytes, as it was at the last turn.
    var databaseSize: Int64 { seen.bytes.load(ordering: .relaxed) }

    /// By what setting a crash may lose what is acknowledged, as of the last look.
    var loss: DatabaseFinding? { seen.loss.withLock { $0 } }

    private final class Seen: Sendable {
        let bytes: Atomic<Int64>
        let loss = Mutex<DatabaseFinding?>(nil)

        init(_ bytes: Int64) { self.bytes = Atomic(bytes) }
    }

    /// - Parameter databaseSize: in bytes, as it is now.
    init(
        _ database: PostgresDatabase, _ settings: PostgresSettings, databaseSize: Int64,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        let seen = Seen(databaseSize)
        self.seen = seen
        task = Task {
            var turn = 0
            while (try? await Task.sleep(for: Self.interval)) != nil {
                if let losses = try? await database.losses() {
                    seen.loss.withLock { $0 = losses.first }
                }
                turn += 1
                guard turn.isMultiple(of: Self.turn) else { continue }
                // Where one fails, the next turn comes long before it is needed.
                try? await PostgresThread().run { try Self.makeParts(settings, at: clock()) }
                try? await database.transaction { db in try Self.forget(db) }
                if let bytes = try? await database.read(Self.databaseSize) {
                    seen.bytes.store(bytes, ordering: .relaxed)
                }
            }
        }
    }

    func stop() { task.cancel() }

    /// Its tables and indexes in bytes, without what the server keeps for all databases, such as WAL.
    static func databaseSize(_ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT pg_database_size(current_database())").first { $0.integer(0) } ?? 0
    }

    /// Makes the parts of the logs for the coming months, on a connection of its own: no write waits for it. Blocks the
    /// thread.
    static func makeParts(_ settings: PostgresSettings, at now: Timestamp) throws {
        let connection = try PostgresConnection(
            settings.location, password: settings.password, patience: PostgresConnection.shortPatience)
        defer { connection.close() }
        try MonthlyPartitions.make(now: now, connection)
    }

    /// Forgets what nobody asks for any more, inside a write that does nothing else.
    static func forget(_ db: any SQLConnection) throws {
        // A transaction is tried for seconds, and asked after until the service ends; an hour is more than either needs.
        try db.statement("DELETE FROM write_tokens WHERE made_at < now() - interval '1 hour'").run()
        try RuleChangeRow.forget(db)
    }
}
