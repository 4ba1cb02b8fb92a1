import GRDB
import GRDBSQLite
import SQL

/// A statement from GRDB's cache, driven through SQLite's own interface.
///
/// GRDB opens, serialises and closes the connections. Values are bound and read directly here.
class SQLiteFileStatement: PreparedStatement {
    // Keeps the handle alive.
    private let statement: Statement
    let handle: OpaquePointer

    init(_ sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
    }

    /// Tells SQLite to copy the given bytes at once.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    func bind(_ value: Int64, at place: Int32) throws { try require(sqlite3_bind_int64(handle, place, value)) }

    func bindNull(as type: SQLType, at place: Int32) throws { try require(sqlite3_bind_null(handle, place)) }

    func bind(text: UnsafeRawBufferPointer, at place: Int32) throws {
        // An empty buffer may have no address, and SQLite would treat a missing address as NULL.
        guard let address = text.baseAddress else { return try require(sqlite3_bind_text(handle, place, "", 0, nil)) }
        try require(
            sqlite3_bind_text(
                handle, place, address.assumingMemoryBound(to: CChar.self), Int32(text.count), Self.transient))
    }

    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws {
        guard let address = bytes.baseAddress else { return try require(sqlite3_bind_zeroblob(handle, place, 0)) }
        try require(sqlite3_bind_blob(handle, place, address, Int32(bytes.count), Self.transient))
    }

    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws { try bind(text: text, at: place) }

    func bind(integers: [Int64], at place: Int32) throws { try require(SQLITE_MISMATCH) }

    func bind(byteStrings: [[UInt8]], at place: Int32) throws { try require(SQLITE_MISMATCH) }

    func requireAllBound(_ count: Int32) throws {
        try require(count == sqlite3_bind_parameter_count(handle) ? SQLITE_OK : SQLITE_RANGE)
    }

    func execute() throws { while try step() {} }

    func addRow() throws { try execute() }

    func finishRows() throws {}

    func executeCounting() throws -> Int {
        try execute()
        return Int(sqlite3_changes64(sqlite3_db_handle(handle)))
    }

    func executeNumbering() throws -> Int64? {
        try executeCounting() > 0 ? sqlite3_last_insert_rowid(sqlite3_db_handle(handle)) : nil
    }

    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw StorageError(resultCode: sqlite3_extended_errcode(sqlite3_db_handle(handle)))
        }
    }

    func reset() { sqlite3_reset(handle) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        guard let bytes = sqlite3_column_text(handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    func bytes(_ column: Int32) -> [UInt8] {
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }

    func personalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

    /// - Throws: ``StorageError`` for every result code of SQLite except OK.
    final func require(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }
}
