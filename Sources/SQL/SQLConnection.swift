/// A connection to a database, inside a transaction or a snapshot that its owner has begun.
///
/// Must be used on one thread. Statements are written once for every engine:
///
/// - `?` and `?1` stand for values; `ON CONFLICT … DO UPDATE` must name its columns.
/// - `INDEXED BY name` and `NOT INDEXED` after the name of a table, and `CROSS JOIN … ON` for a join in the written
///   order of the tables, are for SQLite, whose planner has no statistics. Other engines remove them.
/// - Syntax that differs between engines is in ``SQLDialect``.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// The statement, prepared at its first use.
    func statement(_ sql: String) throws -> SQLStatement

    /// A prepared query with many rows, of which only a few may be needed: rows come as they are read.
    func longStatement(_ sql: String) throws -> SQLStatement

    /// A prepared statement that inserts any number of rows.
    /// - Parameter sql: an `INSERT` with `VALUES` and a `?` for each column.
    func rows(_ sql: String) throws -> RowInsert

    /// The names of purposes that the database may have; `nil` if other processes may add some.
    var knownPurposes: KnownNames? { get }
}

extension SQLConnection {
    package var knownPurposes: KnownNames? { nil }
}

/// The parts of statements that differ between engines.
package struct SQLDialect: Hashable, Sendable {
    package enum Engine: Hashable, Sendable {
        case sqlite
        case postgres
    }

    package let engine: Engine

    package init(_ engine: Engine) { self.engine = engine }

    /// Whether a log is kept in volumes, so that its indexes are written to at their end. If the engine partitions its
    /// tables by time, all rows are in one volume.
    package var keepsVolumes: Bool { engine == .sqlite }

    /// Whether a list can be bound in the place of one value. An engine on a server has lists: instead of a query for
    /// each of a thousand recipients, there is one query for all.
    package var hasLists: Bool { engine == .postgres }

    /// Whether several processes may have the database open and write to it.
    package var hasSeveralWriters: Bool { engine == .postgres }

    /// The end of an insert that must return the number of its row (``SQLStatement/newNumber(_:)``). SQLite knows the
    /// number anyway; for `RETURNING` it would make a temporary table each time.
    package var returningNumber: String { engine == .sqlite ? "" : "RETURNING number" }

    /// A statement that reserves a given number of numbers for new rows; `nil` if a row gets its number when it is
    /// inserted, without a cost.
    package func reserveNumbers(of table: String) -> String? {
        hasLists ? "SELECT nextval('\(table)_number_seq') FROM generate_series(1, ?)" : nil
    }

    /// The condition that a column has a value, and the beginning of the order, if the index that begins with the
    /// column and has that order must be used. By its statistics, an engine may prefer the order alone, and scan the
    /// rows of all other values.
    package func first(_ column: String) -> (condition: String, order: String) {
        switch engine {
        case .sqlite: ("\(column) = ?", "")
        // Only an index that begins with the column has this order.
        case .postgres: ("\(column) = ANY(ARRAY[?::bigint])", "\(column), ")
        }
    }

    /// A join with the rows of a table for each row on the left, of which a condition tells a range of the table's key.
    /// By its statistics, an engine may prefer to read the whole table.
    /// - Parameter condition: names the columns of the table without `alias`.
    package func joinRange(of table: String, as alias: String, where condition: String) -> String {
        switch engine {
        case .sqlite: "CROSS JOIN \(table) \(alias) ON \(condition)"
        // OFFSET keeps the planner from joining in another order.
        case .postgres: "CROSS JOIN LATERAL (SELECT * FROM \(table) WHERE \(condition) OFFSET 0) \(alias)"
        }
    }

    /// A join with the one row of a table whose key has a value. The statistics of a partitioned table may be old, and
    /// know neither the rows nor the keys of today: by them, an engine may prefer to merge the whole other table.
    package func joinRow(of table: String, as alias: String, where key: String, is value: String) -> String {
        switch engine {
        case .sqlite: "JOIN \(table) \(alias) ON \(alias).\(key) = \(value)"
        case .postgres: joinRange(of: table, as: alias, where: "\(key) = \(value)")
        }
    }

    /// A statement after which new rows get numbers behind the existing ones; `nil` if they do so anyway.
    package func continueNumbers(of table: String) -> String? {
        guard engine == .postgres else { return nil }
        return "SELECT setval('\(table)_number_seq', coalesce((SELECT max(number) FROM \(table)), 0) + 1, false)"
    }

    /// The greatest of several values.
    package func greatest(_ values: String...) -> String {
        "\(engine == .sqlite ? "max" : "greatest")(\(values.joined(separator: ", ")))"
    }

    /// The least of several values.
    package func least(_ values: String...) -> String {
        "\(engine == .sqlite ? "min" : "least")(\(values.joined(separator: ", ")))"
    }

    /// A condition that a column of bytes contains a text.
    /// - Parameter text: a literal without quotes and backslashes.
    package func bytes(_ column: String, contain text: String) -> String {
        switch engine {
        case .sqlite: "instr(\(column), CAST('\(text)' AS BLOB)) > 0"
        case .postgres: "position('\(text)'::bytea IN \(column)) > 0"
        }
    }
}
