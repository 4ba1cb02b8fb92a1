import SQL
import StoragePorts

/// How many transactions a storage has committed. A single process counts its commits; nodes that share a database read
/// the count in a table, to which each adds in its turn.
package struct SQLCommitCounter: CommitCounter {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func value() async throws -> UInt64 {
        guard database.hasSeveralWriters else { return try database.commits.count }
        let generation = try await database.read { db in
            try db.statement("SELECT generation FROM writer").first { $0.integer(0) }
        }
        guard let generation else { throw StorageError.unreadable }
        return UInt64(bitPattern: generation)
    }
}
