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

    /// Whether a database that has the tables has an organization, and so was used before.
    package static func hasOrganizations(_ settings: PostgresSettings) async throws -> Bool {
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.statement("SELECT 1 FROM organizations LIMIT 1").first { _ in true } ?? false
        }
    }
}
