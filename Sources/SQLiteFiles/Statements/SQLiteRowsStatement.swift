import CSQLite
import GRDB
import GRDBSQLite
import SQL
import Synchronization

/// An insert of many rows with one statement, by `bound_rows` of `CSQLite`. SQLite searches the table and each index
/// once for all rows: a row with four indexes takes three quarters of the time of a single insert.
final class SQLiteRowsStatement: SQLiteFileStatement {
    /// The greatest number of waiting rows. Their entries in ``values`` take a few dozen kilobytes.
    private static let maximumCount = 256
    /// In bytes: waiting rows are inserted when their texts and byte strings are this long together.
    private static let maximumSize = 1 << 18

    private let columns: Int
    /// The values of the waiting rows, and how many of them are filled.
    private let values: UnsafeMutableBufferPointer<cl_sqlite_value>
    private var bound = 0
    /// The texts and byte strings of the rows.
    private var bytes: [CChar] = []
    private var count = 0

    init(_ text: BoundRowsInsert.Text, in db: Database) throws {
        columns = text.columns
        values = .allocate(capacity: Self.maximumCount * columns)
        try super.init(text.sql, in: db)
    }

    deinit { values.deallocate() }

    override func bind(_ value: Int64, at place: Int32) throws {
        try append(cl_sqlite_value(number: value, length: 0, type: Int32(CL_SQLITE_INTEGER)), at: place)
    }

    override func bindNull(as type: SQLType, at place: Int32) throws {
        try append(cl_sqlite_value(number: 0, length: 0, type: Int32(CL_SQLITE_NULL)), at: place)
    }

    override func bind(text: UnsafeRawBufferPointer, at place: Int32) throws {
        try append(text, of: CL_SQLITE_TEXT, at: place)
    }

    override func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws {
        try append(bytes, of: CL_SQLITE_BYTES, at: place)
    }

    private func append(_ content: UnsafeRawBufferPointer, of type: Int, at place: Int32) throws {
        let start = bytes.count
        bytes.append(contentsOf: content.bindMemory(to: CChar.self))
        try append(
            cl_sqlite_value(number: Int64(start), length: Int32(content.count), type: Int32(type)), at: place)
    }

    private func append(_ value: cl_sqlite_value, at place: Int32) throws {
        guard bound - count * columns == place - 1, bound < values.count else {
            throw StorageError(resultCode: SQLITE_MISUSE)
        }
        values.initializeElement(at: bound, to: value)
        bound += 1
    }

    override func requireAllBound(_ count: Int32) throws {
        try require(Int(count) == columns ? SQLITE_OK : SQLITE_RANGE)
    }

    override func addRow() throws {
        count += 1
        if count == Self.maximumCount || bytes.count >= Self.maximumSize { try finishRows() }
    }

    override func finishRows() throws {
        guard count > 0 else { return }
        defer {
            super.reset()
            sqlite3_clear_bindings(handle)
            bytes.removeAll(keepingCapacity: true)
            (bound, count) = (0, 0)
        }
        try bytes.withUnsafeBufferPointer { bytes in
            var rows = cl_sqlite_rows(
                values: values.baseAddress, bytes: bytes.baseAddress, columns: Int32(columns), rows: Int32(count))
            try withUnsafePointer(to: &rows) { rows in
                try require(cl_sqlite_bind_rows(handle, rows))
                try execute()
            }
        }
    }

    /// Removes values that were bound for a row and not added.
    override func reset() { bound = count * columns }
}

extension Database {
    /// Enables statements of the connection to insert many rows at once.
    func addBoundRows() throws {
        let code = cl_sqlite_add_bound_rows(sqliteConnection)
        guard code == SQLITE_OK else { throw StorageError(resultCode: code) }
    }
}

/// The SQL of an insert that takes many rows.
enum BoundRowsInsert {
    struct Text {
        let sql: String
        let columns: Int
    }

    /// `INSERT … VALUES (?, ?)` becomes `INSERT OR FAIL … SELECT c0, c1 FROM bound_rows(?)`. `OR FAIL` saves SQLite a
    /// copy of each page before the rows; a failed write is rolled back as a whole anyway.
    ///
    /// - Returns: `nil` for an insert with a clause about existing rows, and for one with too many columns. Their rows
    ///   are inserted one by one.
    static func text(of sql: String) -> Text? {
        texts.withLock { texts in
            if let known = texts[sql] { return known }
            let text = translated(sql)
            texts[sql] = .some(text)
            return text
        }
    }

    /// A cache. It has at most as many entries as the program has inserts.
    private static let texts = Mutex<[String: Text?]>([:])

    private static func translated(_ sql: String) -> Text? {
        guard let match = sql.wholeMatch(of: /INSERT (INTO .*?)\bVALUES\s*\(([\s?,]+)\)\s*/.dotMatchesNewlines()) else {
            return nil
        }
        let columns = match.output.2.count { $0 == "?" }
        guard columns <= CL_SQLITE_MOST_COLUMNS else { return nil }
        let names = (0..<columns).map { "c\($0)" }.joined(separator: ", ")
        return Text(sql: "INSERT OR FAIL \(match.output.1)SELECT \(names) FROM bound_rows(?)", columns: columns)
    }
}
