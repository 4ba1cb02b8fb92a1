import GRDB
package import Identifiers
package import Organizations

/// Requests that had their effect, in the main file, where the effects are too.
package struct SQLiteIdempotencyStore: IdempotencyStore {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    package func request(under key: [UInt8], at now: Timestamp) async throws -> IdempotencyRecord? {
        try await database.read { db in try RequestRow.find(key, at: now, db) }
    }
}
