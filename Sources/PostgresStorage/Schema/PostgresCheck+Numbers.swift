package import PostgresClient
import SQL

/// Numbers that run out.
extension PostgresCheck {
    /// In transactions. Autovacuum prevents this age, unless something holds it back; the server refuses writes at
    /// 2,144 million.
    static let oldAge: Int64 = 1_500_000_000

    /// - Throws: a `StoreFailure` if the check fails.
    package static func numberFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings) { connection in
            try ageFindings(connection, limit: oldAge)
        }
    }

    /// The oldest database of the server, if it is older than `limit`: a single one stops the writes to all.
    static func ageFindings(_ db: any SQLConnection, limit: Int64) throws -> [DatabaseFinding] {
        try db.statement(
            """
            SELECT datname::text, age(datfrozenxid)::bigint FROM pg_database
            WHERE age(datfrozenxid) > ? ORDER BY age(datfrozenxid) DESC, datname LIMIT 1
            """
        ).all(limit) { .oldTransactions(database: $0.text(0), age: $0.integer(1)) }
    }
}
