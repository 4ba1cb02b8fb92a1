import Identifiers
import SQL

/// What a database needs now and then, as long as a storage is open: parts of the logs for the coming months, and no more
/// write tokens than somebody may still ask for.
final class DatabaseUpkeep: Sendable {
    private static let interval = Duration.seconds(600)

    private let task: Task<Void, Never>

    init(_ database: PostgresDatabase, clock: @escaping @Sendable () -> Timestamp) {
        task = Task {
            while (try? await Task.sleep(for: Self.interval)) != nil {
                // Where it fails, the next turn comes long before it is needed.
                try? await database.transaction { db in try Self.run(at: clock(), db) }
            }
        }
    }

    func stop() { task.cancel() }

    /// Inside a write that does nothing else.
    static func run(at now: Timestamp, _ db: any SQLConnection) throws {
        try MonthlyPartitions.make(from: now, now: now, db)
        // A transaction is tried for seconds, and asked after until the service ends; an hour is more than either needs.
        try db.statement("DELETE FROM write_tokens WHERE made_at < now() - interval '1 hour'").run()
    }
}
