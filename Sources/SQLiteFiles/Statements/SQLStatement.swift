package import GRDB
import GRDBSQLite

/// A prepared statement of one connection, from GRDB's cache, driven through SQLite's own interface.
///
/// GRDB opens, serialises and closes the connections. Values go straight in and out here, because a look-up or an
/// insert of a single decision takes little more than a microsecond and boxing its arguments would double that. Code
/// that a statement calls for its rows must not start the same statement again.
///
/// Generic functions are inlinable: the stores are in other targets, and a generic function of another target takes its
/// arguments boxed unless the caller sees its body.
@usableFromInline
package struct SQLStatement {
    // Keeps the handle alive.
    private let statement: Statement
    @usableFromInline let handle: OpaquePointer

    package init(_ sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Runs the statement with `values` in the places of its question marks.
    @inlinable
    package func run<each Value: SQLBindable>(_ values: repeat each Value) throws {
        defer { reset() }
        try bind(repeat each values)
        while try step() {}
    }

    /// What `read` makes of the first row; `nil` when there is none.
    @inlinable
    package func first<Result, each Value: SQLBindable>(
        _ values: repeat each Value,
        read: (SQLRow) throws -> Result
    ) throws -> Result? {
        defer { reset() }
        try bind(repeat each values)
        return try step() ? try read(SQLRow(handle)) : nil
    }

    /// What `read` makes of each row.
    @inlinable
    package func all<Result, each Value: SQLBindable>(
        _ values: repeat each Value,
        read: (SQLRow) throws -> Result
    ) throws -> [Result] {
        var results: [Result] = []
        try forEach(repeat each values) { row in
            results.append(try read(row))
            return true
        }
        return results
    }

    /// Calls `visit` with row after row until it returns `false`.
    @inlinable
    package func forEach<each Value: SQLBindable>(
        _ values: repeat each Value,
        visit: (SQLRow) throws -> Bool
    ) throws {
        defer { reset() }
        try bind(repeat each values)
        let row = SQLRow(handle)
        while try step() {
            guard try visit(row) else { return }
        }
    }

    /// - Throws: ``StorageError`` for more or fewer values than there are places: a place that is left out would keep
    ///   the value of the call before.
    @inlinable
    func bind<each Value: SQLBindable>(_ values: repeat each Value) throws {
        var index: Int32 = 0
        for value in repeat each values {
            index += 1
            try require(value.bind(to: handle, at: index))
        }
        try requireAllBound(index)
    }

    /// - Throws: ``StorageError`` unless the statement has exactly `count` places.
    @usableFromInline
    func requireAllBound(_ count: Int32) throws {
        try require(count == sqlite3_bind_parameter_count(handle) ? SQLITE_OK : SQLITE_RANGE)
    }

    /// - Throws: ``StorageError`` for every result code of SQLite except OK.
    @usableFromInline
    func require(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }

    @usableFromInline
    func reset() { sqlite3_reset(handle) }

    /// - Returns: whether there is a row.
    /// - Throws: ``StorageError``
    @usableFromInline
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StorageError(resultCode: sqlite3_extended_errcode(sqlite3_db_handle(handle)))
        }
    }
}

extension Database {
    package func statement(_ sql: String) throws -> SQLStatement { try SQLStatement(sql, in: self) }
}
