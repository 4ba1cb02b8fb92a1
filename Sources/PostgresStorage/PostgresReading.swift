package import Cryptography
package import PostgresClient
package import SQL
import SQLStorage

/// Reads a database that a service may have open. It does not claim the database and writes nothing.
package struct PostgresReading: SQLReading {
    private let pool: PostgresPool
    private let sealing: SealingKeys

    /// Connects at the first use.
    package init(_ settings: PostgresSettings, erasureKey: SecretBytes) {
        pool = PostgresPool(settings, connections: 2)
        sealing = SealingKeys(key: erasureKey)
    }

    package func read<Value: Sendable>(
        _ length: ReadingLength, _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.run(length) { [sealing] connection in
                let storage = try StorageConnection.of(connection, sealing)
                return try connection.snapshot { try body(storage) }
            }
        } catch let error as PostgresError {
            throw error.storageError
        }
    }

    /// Blocks the thread.
    package func close() { pool.close() }

    /// Whether a database has the tables of this version.
    /// - Throws: a `StoreFailure`, also if it has those of a later version.
    package static func isCurrent(_ settings: PostgresSettings) async throws -> Bool {
        let known = PostgresSchema.current
        return try await PostgresSchema.withConnection(settings) { connection in
            let found = try PostgresSchema.version(connection)
            guard found <= known else { throw SchemaError.newer(found: found, known: known) }
            return found == known
        }
    }
}
