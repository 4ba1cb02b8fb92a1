import Identifiers
package import PostgresClient
import SQL

/// Numbers that run out, or are given twice.
extension PostgresCheck {
    /// In transactions. Autovacuum prevents this age, unless something holds it back; the server refuses writes at
    /// 2,144 million.
    static let oldAge: Int64 = 1_500_000_000

    static let feedPosition = "feed_position"
    /// The feed of rules does not reach this position: each change takes one.
    static let endOfPositions: Int64 = 1 << 62

    /// - Throws: a `StoreFailure` if the check fails.
    package static func numberFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings) { connection in
            try ageFindings(connection, limit: oldAge) + sequenceFindings(connection) + forgedFindings(connection)
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

    /// The numbers in the row of the writers that no node can have made. With them, nodes would have no numbers left.
    static func forgedFindings(_ db: any SQLConnection) throws -> [DatabaseFinding] {
        let ends = [("latest", Int64(TimeOrderedNumber.endOfMade)), (feedPosition, endOfPositions)]
        return try ends.compactMap { column, end in
            // An older version, or a database without tables, may not have the column.
            let isThere = try db.statement(
                "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('writer') AND attname = ? AND NOT attisdropped"
            ).first(column) { _ in true }
            guard isThere != nil else { return nil }
            return try db.statement("SELECT \(column) FROM writer WHERE \(column) < 0 OR \(column) >= ?")
                .first(end) { .forgedNumber(column: column, $0.integer(0)) }
        }
    }

    /// The sequences of this role's tables that give numbers which their table has.
    static func sequenceFindings(_ db: any SQLConnection) throws -> [DatabaseFinding] {
        let columns = try db.statement(
            """
            SELECT quote_ident(c.relname), a.attname::text, pg_get_serial_sequence(quote_ident(c.relname), a.attname)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attidentity <> ''
                AND pg_has_role(c.relowner, 'USAGE')
            ORDER BY c.relname
            """
        ).all { (table: $0.text(0), column: $0.text(1), sequence: $0.text(2)) }
        return try columns.compactMap { table, column, sequence in
            // The snapshot of the table is older than the value of the sequence, so rows that are made meanwhile do not
            // matter.
            let numbers = try db.statement(
                """
                SELECT last_value + CASE WHEN is_called THEN 1 ELSE 0 END, (SELECT max(\(column)) FROM \(table))
                FROM \(sequence)
                """
            ).first { (next: $0.integer(0), greatest: $0.optionalInteger(1)) }
            guard let numbers, let greatest = numbers.greatest, numbers.next <= greatest else { return nil }
            return .sequenceBehind(table: table, column: column, next: numbers.next, greatest: greatest)
        }
    }
}
