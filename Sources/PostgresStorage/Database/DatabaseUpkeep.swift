import Identifiers
import PostgresClient
import SQL
import SQLStorage
import Synchronization

/// The regular tasks for a database while a storage is open. Makes the partitions of the logs for the coming months,
/// removes old write tokens and reads the size of the database. More often, it checks whether the server's settings
/// still keep acknowledged writes.
final class DatabaseUpkeep: Sendable {
    private static let interval = Duration.seconds(10)
    /// In intervals.
    private static let turn = 60

    private let task: Task<Void, Never>
    private let seen: Seen

    /// In bytes, as of the last turn.
    var databaseSize: Int64 { seen.bytes.load(ordering: .relaxed) }

    /// A setting with which a crash may lose acknowledged writes, as of the last check.
    var loss: DatabaseFinding? { seen.loss.withLock { $0 } }

    private final class Seen: Sendable {
        let bytes: Atomic<Int64>
        let loss = Mutex<DatabaseFinding?>(nil)

        init(_ bytes: Int64) { self.bytes = Atomic(bytes) }
    }

    /// - Parameter databaseSize: the present size in bytes.
    init(
        _ database: PostgresDatabase, _ settings: PostgresSettings, of tenant: DatabaseTenant, databaseSize: Int64,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        let seen = Seen(databaseSize)
        self.seen = seen
        task = Task {
            var turn = 0
            var last: Int64?
            while (try? await Task.sleep(for: Self.interval)) != nil {
                if let losses = try? await database.losses() {
                    seen.loss.withLock { $0 = losses.first }
                }
                turn += 1
                guard turn.isMultiple(of: Self.turn) else { continue }
                // If one fails, the next turn comes long before the result is needed.
                try? await PostgresThread().run { try Self.makeParts(settings, of: tenant, at: clock()) }
                let now = try? await database.transaction { [last] db in try Self.forget(db, seenAt: last) }
                last = now ?? last
                if let bytes = try? await database.read(Self.databaseSize) {
                    seen.bytes.store(bytes, ordering: .relaxed)
                }
            }
        }
    }

    func stop() { task.cancel() }

    /// The tables and indexes in bytes, without the files that the server has for all databases, such as WAL.
    static func databaseSize(_ db: any SQLConnection) throws -> Int64 {
        try db.statement("SELECT pg_database_size(current_database())").first { $0.integer(0) } ?? 0
    }

    static func databaseNumber(_ db: any SQLConnection) throws -> String? {
        try db.statement(
            """
            SELECT system_identifier || '/' || (SELECT oid FROM pg_database WHERE datname = current_database())
            FROM pg_control_system()
            """
        ).first { $0.text(0) }
    }

    /// Makes the partitions of the logs for the coming months, on a connection of its own, so that no write waits for
    /// it. Blocks the thread.
    /// - Throws: also what ``DatabaseOwner/require(_:_:)`` throws.
    static func makeParts(_ settings: PostgresSettings, of tenant: DatabaseTenant, at now: Timestamp) throws {
        let connection = try PostgresConnection.open(settings, timeout: PostgresConnection.shortTimeout)
        defer { connection.close() }
        try DatabaseOwner.require(tenant, connection)
        try MonthlyPartitions.make(now: now, connection)
    }

    /// Removes rows that are not needed any more, inside a write that does nothing else.
    /// - Parameter last: what the process's call before returned, minutes ago; `nil` for its first one.
    /// - Returns: the server's time, in microseconds since 1970.
    static func forget(_ db: any SQLConnection, seenAt last: Int64? = nil) throws -> Int64 {
        // A transaction is tried for seconds, and its result can be asked for until the service ends; an hour is more
        // than both. The clock of a server that has just taken over may be ahead by more, so an hour by that clock
        // alone is not enough.
        if let last {
            try db.statement(
                """
                DELETE FROM write_tokens
                WHERE made_at < least(now() - interval '1 hour', to_timestamp(?::bigint / 1000000.0))
                """
            ).run(last)
        }
        try RuleChangeRow.forget(db)
        return try db.statement("SELECT (extract(epoch FROM now()) * 1000000)::bigint").first { $0.integer(0) } ?? 0
    }
}
