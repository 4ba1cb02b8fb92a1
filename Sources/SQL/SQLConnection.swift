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
