import SQL
package import StoragePorts

/// Requests that had their effect, in the same database as their effects.
package struct SQLIdempotencyStore: IdempotencyStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func request(under key: [UInt8]) async throws -> IdempotencyRecord? {
        guard try await database.read({ db in try RequestRow.find(key, db) }) != nil else { return nil }
        // The caller acknowledges the effect once more, so it must be as durable as the first answer would have made
        // it.
        return try await database.readCurrent { db in try RequestRow.find(key, db) }
    }
}
