/// A connection to a database, inside a transaction or a snapshot that somebody else has begun.
///
/// Belongs to one thread. Statements are written once for every engine:
///
/// - `?` and `?1` stand for values; what a new row got is asked for with `RETURNING`; `ON CONFLICT … DO UPDATE` names the
///   columns that it is about.
/// - `INDEXED BY name` and `NOT INDEXED` after the name of a table, and `CROSS JOIN … ON` for a join in the order in which
///   the tables are written, are for SQLite, whose planner knows no statistics. Other engines leave them out.
/// - What engines write in different ways is in ``SQLDialect``.
package protocol SQLConnection: AnyObject {
    var dialect: SQLDialect { get }

    /// The statement, prepared at its first use.
    func statement(_ sql: String) throws -> SQLStatement

    /// The same for any number of rows.
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

    /// A statement that reserves as many numbers of new rows as it is asked for; `nil` where a row gets its number when it
    /// is inserted, at no cost.
    package func reserveNumbers(of table: String) -> String? {
        hasLists ? "SELECT nextval('\(table)_number_seq') FROM generate_series(1, ?)" : nil
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
