/// A connection to a database, inside a transaction or a snapshot that somebody else has begun.
///
/// Belongs to one thread. Statements are written once for every engine:
///
/// - `?` and `?1` stand for values; `ON CONFLICT … DO UPDATE` names the columns that it is about.
/// - `INDEXED BY name` and `NOT INDEXED` after the name of a table, and `CROSS JOIN … ON` for a join in the order in which
///   the tables are written, are for SQLite, whose planner knows no statistics. Other engines leave them out.
/// - What engines write in different ways is in ``SQLDialect``.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// The statement, prepared at its first use.
    func statement(_ sql: String) throws -> SQLStatement

    /// The same for a question with any number of rows, of which few may be looked at: they come as they are read.
    func longStatement(_ sql: String) throws -> SQLStatement

    /// The same for any number of rows to insert.
    /// - Parameter sql: an `INSERT` with `VALUES` and a `?` for each column.
    func rows(_ sql: String) throws -> RowInsert
}

/// Parts of statements that engines write in different ways.
package struct SQLDialect: Hashable, Sendable {
    package enum Engine: Hashable, Sendable {
        case sqlite
        case postgres
    }

    package let engine: Engine

    package init(_ engine: Engine) { self.engine = engine }

    /// Whether a log is kept in volumes, so that its indexes are written to at their end. Where the engine parts its tables
    /// by time, all rows stand in one.
    package var keepsVolumes: Bool { engine == .sqlite }

    /// Whether a list can be bound in the place of one value. An engine behind a network has them: what would be one
    /// question for each of a thousand people is then one question for all.
    package var hasLists: Bool { engine == .postgres }

    /// Whether several processes may have the database open and write to it.
    package var hasSeveralWriters: Bool { engine == .postgres }

    /// How an insert ends that is asked for the number of its row (``SQLStatement/newNumber(_:)``). SQLite knows it anyhow;
    /// with `RETURNING` it would make a table for it each time.
    package var returningNumber: String { engine == .sqlite ? "" : "RETURNING number" }

    /// A statement that reserves as many numbers of new rows as it is asked for; `nil` where a row gets its number when it
    /// is inserted, at no cost.
    package func reserveNumbers(of table: String) -> String? {
        hasLists ? "SELECT nextval('\(table)_number_seq') FROM generate_series(1, ?)" : nil
    }

    /// The condition that a column has a value, and what the order begins with, where an index that begins with the column
    /// and has that order must be used. By its statistics an engine may take the order alone for better, and walk over
    /// the rows of all other values.
    package func first(_ column: String) -> (condition: String, order: String) {
        switch engine {
        case .sqlite: ("\(column) = ?", "")
        // Only an index that begins with the column has this order.
        case .postgres: ("\(column) = ANY(ARRAY[?::bigint])", "\(column), ")
        }
    }

    /// A statement after which new rows get numbers behind those that are there; `nil` where they do anyhow.
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

    /// A condition: that a column of bytes has a text in it.
    /// - Parameter text: a literal without quotes and backslashes.
    package func bytes(_ column: String, contain text: String) -> String {
        switch engine {
        case .sqlite: "instr(\(column), CAST('\(text)' AS BLOB)) > 0"
        case .postgres: "position('\(text)'::bytea IN \(column)) > 0"
        }
    }
}
