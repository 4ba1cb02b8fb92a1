import CPostgres
package import SQL

/// A statement of one connection, its values, and the rows of its last answer.
///
/// All rows are read at once, so that other statements may run while they are visited. A long statement (``inParts()``)
/// reads them in parts, with a cursor.
package final class PostgresStatement: PreparedStatement {
    /// The number of rows in the first part, because only a few may be needed; later parts are larger.
    private static let firstRows = 256
    private static let rowsAtOnce = 4_096
    /// Rows are sent when their values are longer than this. The server reads a whole statement before it begins, and
    /// stores these rows while the next ones are made.
    private static let rowBytesAtOnce = 1 << 16

    private let sql: TranslatedSQL
    private unowned let connection: PostgresConnection
    private var values = BoundValues()
    private var rows = RowLists()
    private var result: PostgresResult?
    private var row: Int32 = -1
    private var isLong = false
    private var cursor: Int?
    /// How many rows were requested with the last fetch.
    private var fetched = 0

    init(_ sql: TranslatedSQL, on connection: PostgresConnection) {
        self.sql = sql
        self.connection = connection
    }

    /// Makes this statement fetch its rows in parts, for many rows. Must be used inside a transaction.
    package func inParts() -> PostgresStatement {
        isLong = true
        return self
    }

    package func bind(_ value: Int64, at place: Int32) { values.append(value) }

    package func bindNull(as type: SQLType, at place: Int32) { values.appendNull(type: type.postgres) }

    package func bind(text: UnsafeRawBufferPointer, at place: Int32) {
        values.append(text, type: PostgresType.text)
    }

    package func bind(bytes: UnsafeRawBufferPointer, at place: Int32) {
        values.append(bytes, type: PostgresType.bytea)
    }

    /// A connection without a sealer must not store personal data.
    package func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws {
        throw PostgresError(.values)
    }

    package func bind(integers: [Int64], at place: Int32) { values.append(integers) }

    package func bind(byteStrings: [[UInt8]], at place: Int32) { values.append(byteStrings) }

    package func requireAllBound(_ count: Int32) throws {
        guard Int(count) == sql.places else { throw PostgresError(.values) }
    }

    package func execute() throws {
        defer { values.removeAll() }
        try connection.send(sql, values)
    }

    package func addRow() throws {
        try rows.add(values)
        values.removeAll()
        if rows.byteCount > Self.rowBytesAtOnce { try finishRows() }
    }

    package func finishRows() throws {
        guard rows.count > 0 else { return }
        let lists = try rows.take()
        try connection.send(sql, lists)
    }

    package func executeCounting() throws -> Int {
        try execute()
        return try connection.lastAnswer()?.changed ?? 0
    }

    package func executeNumbering() throws -> Int64? { try step() ? integer(0) : nil }

    package func step() throws -> Bool {
        if result == nil { try ask() }
        row += 1
        if let result, row < result.rows { return true }
        guard let cursor, let last = result, last.rows == Int32(fetched) else { return false }
        try fetch(cursor, Self.rowsAtOnce)
        row = 0
        return result.map { $0.rows > 0 } ?? false
    }

    private func ask() throws {
        guard isLong else {
            try execute()
            return result = try connection.lastAnswer()
        }
        let cursor = connection.takeCursor()
        let declaration = TranslatedSQL(
            text: "DECLARE cl_\(cursor) NO SCROLL CURSOR FOR \(sql.text)", places: sql.places)
        try connection.send(declaration, values)
        values.removeAll()
        self.cursor = cursor
        try fetch(cursor, Self.firstRows)
    }

    private func fetch(_ cursor: Int, _ count: Int) throws {
        let nothing = BoundValues()
        fetched = count
        try connection.send(TranslatedSQL(text: "FETCH \(count) FROM cl_\(cursor)", places: 0), nothing)
        result = try connection.lastAnswer()
    }

    package func reset() {
        values.removeAll()
        (result, row) = (nil, -1)
        guard let cursor else { return }
        self.cursor = nil
        connection.giveBack(cursor: cursor)
        guard connection.isUsable, connection.isInsideTransaction else { return }
        // An error would belong to the transaction, and the next statement reports it.
        try? connection.send(TranslatedSQL(text: "CLOSE cl_\(cursor)", places: 0), BoundValues())
    }

    package func isNull(_ column: Int32) -> Bool { result?.isNull(row, column) ?? true }

    package func integer(_ column: Int32) -> Int64 { result?.integer(row, column) ?? 0 }

    package func text(_ column: Int32) -> String { result?.text(row, column) ?? "" }

    package func bytes(_ column: Int32) -> [UInt8] { result?.bytes(row, column) ?? [] }

    package func requireReadable() throws(StorageError) {
        if result?.takeMisread() == true { throw .unreadable }
    }

    package func personalText(_ column: Int32) throws(StorageError) -> String? { throw .unreadable }
}
