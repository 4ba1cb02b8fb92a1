import GRDBSQLite
import SQL

/// The tables and indexes of a database, with the statements that make them.
///
/// SQLite's own are left out: its statistics, its last row ids, and the indexes that belong to constraints, which are in
/// the statement of their table.
struct SchemaObjects: Equatable, Sendable {
    struct Statement: Hashable, Sendable {
        let table: String
        let sql: String
    }

    /// A name that begins with `sqlite_` does not show that an object is SQLite's own: `writable_schema` lets any
    /// object have one.
    private static let query = """
        SELECT type, name, tbl_name, sql FROM sqlite_schema
        WHERE NOT (type IS 'index' AND sql IS NULL)
            AND NOT (type IS 'table' AND name IN ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence'))
        """

    private(set) var statements: [SchemaObjectName: Statement] = [:]

    /// Without any.
    init() {}

    /// Those of the file of a connection.
    init(of connection: OpaquePointer) throws(StorageError) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        var code = sqlite3_prepare_v2(connection, Self.query, -1, &statement, nil)
        if code == SQLITE_OK { code = sqlite3_step(statement) }
        while code == SQLITE_ROW {
            let name = SchemaObjectName(type: Self.text(statement, 0), name: Self.text(statement, 1))
            statements[name] = Statement(table: Self.text(statement, 2), sql: Self.text(statement, 3))
            code = sqlite3_step(statement)
        }
        guard code == SQLITE_DONE else { throw StorageError(resultCode: sqlite3_extended_errcode(connection)) }
    }

    /// Those that statements make in an empty database. Takes some milliseconds for the main file.
    init(madeBy steps: some Sequence<String>) throws(StorageError) {
        SQLiteLibrary.prepare()
        var connection: OpaquePointer?
        defer { sqlite3_close_v2(connection) }
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(":memory:", &connection, flags, nil)
        guard code == SQLITE_OK, let connection else { throw StorageError(resultCode: code) }
        for step in steps {
            let code = sqlite3_exec(connection, step, nil, nil, nil)
            guard code == SQLITE_OK else { throw StorageError(resultCode: sqlite3_extended_errcode(connection)) }
        }
        try self.init(of: connection)
    }

    /// The first difference in the order of the names; `nil` if there is none.
    func difference(from expected: SchemaObjects) -> SchemaDifference? {
        guard statements != expected.statements else { return nil }
        let names = Set(statements.keys).union(expected.statements.keys)
        for name in names.sorted(by: { ($0.name, $0.type) < ($1.name, $1.type) }) {
            switch (statements[name], expected.statements[name]) {
            case (nil, _): return .missing(name)
            case (_, nil): return .unknown(name)
            case (let found?, let made?):
                // Versions differ in comments and white space, and so does a column that was added later.
                guard found == made || found.table == made.table && SQLWords(found.sql) == SQLWords(made.sql) else {
                    return .different(name)
                }
            }
        }
        return nil
    }

    private static func text(_ statement: OpaquePointer?, _ column: CInt) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
}
