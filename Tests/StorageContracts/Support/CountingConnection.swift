package import SQL

/// A connection that counts the questions that its engine is asked.
package final class CountingConnection: SQLConnection {
    /// Shared by the statements, which belong to the connection's thread.
    fileprivate final class Count { var questions = 0 }

    private let inner: any SQLConnection
    private let count = Count()

    package init(_ inner: any SQLConnection) { self.inner = inner }

    package var questions: Int { count.questions }
    package var dialect: SQLDialect { inner.dialect }

    package func statement(_ sql: String) throws -> SQLStatement {
        SQLStatement(CountingStatement(try inner.statement(sql).prepared, count))
    }

    package func longStatement(_ sql: String) throws -> SQLStatement {
        SQLStatement(CountingStatement(try inner.longStatement(sql).prepared, count))
    }

    package func rows(_ sql: String) throws -> RowInsert { try inner.rows(sql) }
}

/// Counts each use, and passes everything on.
private final class CountingStatement: PreparedStatement {
    private let inner: any PreparedStatement
    private let count: CountingConnection.Count

    init(_ inner: any PreparedStatement, _ count: CountingConnection.Count) {
        self.inner = inner
        self.count = count
    }

    func bind(_ value: Int64, at place: Int32) throws { try inner.bind(value, at: place) }
    func bindNull(as type: SQLType, at place: Int32) throws { try inner.bindNull(as: type, at: place) }
    func bind(text: UnsafeRawBufferPointer, at place: Int32) throws { try inner.bind(text: text, at: place) }
    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) throws { try inner.bind(bytes: bytes, at: place) }
    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) throws {
        try inner.bind(personal: text, at: place)
    }
    func bind(integers: [Int64], at place: Int32) throws { try inner.bind(integers: integers, at: place) }
    func bind(byteStrings: [[UInt8]], at place: Int32) throws { try inner.bind(byteStrings: byteStrings, at: place) }

    func requireAllBound(_ places: Int32) throws {
        count.questions += 1
        try inner.requireAllBound(places)
    }

    func execute() throws { try inner.execute() }
    func addRow() throws { try inner.addRow() }
    func finishRows() throws { try inner.finishRows() }
    func executeCounting() throws -> Int { try inner.executeCounting() }
    func executeNumbering() throws -> Int64? { try inner.executeNumbering() }
    func step() throws -> Bool { try inner.step() }
    func reset() { inner.reset() }
    func isNull(_ column: Int32) -> Bool { inner.isNull(column) }
    func integer(_ column: Int32) -> Int64 { inner.integer(column) }
    func text(_ column: Int32) -> String { inner.text(column) }
    func bytes(_ column: Int32) -> [UInt8] { inner.bytes(column) }
    func requireReadable() throws(StorageError) { try inner.requireReadable() }
    func personalText(_ column: Int32) throws(StorageError) -> String? { try inner.personalText(column) }
}
