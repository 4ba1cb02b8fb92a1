import Identifiers
import Synchronization

/// Makes the parts of the coming months, once a day, as long as a storage is open.
final class PartitionKeeper: Sendable {
    private static let interval = Duration.seconds(24 * 3600)

    private let task: Task<Void, Never>

    init(_ database: PostgresDatabase, clock: @escaping @Sendable () -> Timestamp) {
        task = Task {
            while true {
                guard (try? await Task.sleep(for: Self.interval)) != nil else { return }
                // Where it fails, the next day's turn comes long before the month's.
                _ = try? await database.transaction { db in
                    try MonthlyPartitions.make(from: clock(), now: clock(), db)
                }
            }
        }
    }

    func stop() { task.cancel() }
}
