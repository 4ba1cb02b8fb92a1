package import Identifiers
package import Organizations
import SQL

/// Requests that had their effect, in the database, where the effects are too.
package struct SQLIdempotencyStore: IdempotencyStore {
    private let database: any SQLDatabase

    init(_ database: any SQLDatabase) { self.database = database }

    package func request(under key: [UInt8], at now: Timestamp) async throws -> IdempotencyRecord? {
        try await database.read { db in try RequestRow.find(key, at: now, db) }
    }
}
