import PostgresClient
import SQL

/// A connection as the stores use it: removes hints for SQLite from statements, and seals personal data.
final class StorageConnection: SQLConnection {
    unowned let connection: PostgresConnection
    private let sealer: PersonalDataSealer
    /// Statements without hints, by their original text. There are a few hundred.
    private var texts: [String: String] = [:]
    private var hasDurableCommits = false
    private var isOwn = false

    /// - Parameter sealer: is used by this connection only.
    init(_ connection: PostgresConnection, sealer: PersonalDataSealer) {
        self.connection = connection
        self.sealer = sealer
    }

    /// The storage connection of a connection, which keeps it.
    static func of(_ connection: PostgresConnection, _ keys: SealingKeys) throws -> StorageConnection {
        if let known = connection.attachment as? StorageConnection { return known }
        let made = StorageConnection(connection, sealer: try keys.sealer())
        connection.attachment = made
        return made
    }

    /// Checks the settings once for a connection. Must be called outside of a transaction.
    /// - Throws: ``UnsafeDatabase``
    func requireDurableCommits(_ durability: Durability) throws {
        guard !hasDurableCommits else { return }
        try PostgresCheck.requireDurableCommits(durability, connection)
        hasDurableCommits = true
    }

    /// Checks once for a connection that it leads to the folder's database. If it does not, closes the connection, and
    /// the next use connects again. Must be called outside of a transaction.
    /// - Throws: what ``DatabaseOwner/require(_:_:)`` throws.
    func requireOwn(_ tenant: DatabaseTenant) throws {
        guard !isOwn else { return }
        do {
            try DatabaseOwner.require(tenant, connection)
            isOwn = true
        } catch {
            if DatabaseOwner.refusal(error) != nil { connection.close() }
            throw error
        }
    }

    /// Checks again after a statement has failed: the tables may have been emptied, or dropped and made again, under an
    /// open connection. Must be called outside of a transaction.
    func requireOwn(_ tenant: DatabaseTenant, after error: any Error) throws {
        guard connection.isUsable, let failure = error as? PostgresError, !failure.isRetryable else { return }
        isOwn = false
        do {
            try requireOwn(tenant)
        } catch {
            // What has failed before says more than any other reason.
            if DatabaseOwner.refusal(error) != nil { throw error }
        }
    }

    var dialect: SQLDialect { SQLDialect(.postgres) }

    func statement(_ sql: String) -> SQLStatement { sealing(connection.postgresStatement(withoutHints(sql))) }

    func longStatement(_ sql: String) -> SQLStatement {
        sealing(connection.postgresStatement(withoutHints(sql)).inParts())
    }

    private func withoutHints(_ sql: String) -> String {
        if let known = texts[sql] { return known }
        let text = SQLiteHints.removed(from: sql)
        texts[sql] = text
        return text
    }

    private func sealing(_ statement: PostgresStatement) -> SQLStatement {
        SQLStatement(SealingStatement(statement, sealer: sealer))
    }

    func rows(_ sql: String) -> RowInsert { RowInsert(sealing(connection.postgresRows(sql))) }
}

/// Seals and opens personal data, and passes on everything else.
private final class SealingStatement: PreparedStatement {
    private let inner: PostgresStatement
    private let sealer: PersonalDataSealer

    init(_ inner: PostgresStatement, sealer: PersonalDataSealer) {
        self.inner = inner
        self.sealer = sealer
    }

    func bind(_ value: Int64, at place: Int32) { inner.bind(value, at: place) }

    func bindNull(as type: SQLType, at place: Int32) {
        inner.bindNull(as: type == .personal ? .bytes : type, at: place)
    }

    func bind(text: UnsafeRawBufferPointer, at place: Int32) { inner.bind(text: text, at: place) }

    func bind(bytes: UnsafeRawBufferPointer, at place: Int32) { inner.bind(bytes: bytes, at: place) }

    func bind(personal text: UnsafeRawBufferPointer, at place: Int32) {
        sealer.seal(text).withUnsafeBytes { inner.bind(bytes: $0, at: place) }
    }

    func bind(integers: [Int64], at place: Int32) { inner.bind(integers: integers, at: place) }

    func bind(byteStrings: [[UInt8]], at place: Int32) { inner.bind(byteStrings: byteStrings, at: place) }

    func requireAllBound(_ count: Int32) throws { try inner.requireAllBound(count) }

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

    func personalText(_ column: Int32) throws(StorageError) -> String? {
        inner.isNull(column) ? nil : try sealer.open(inner.bytes(column))
    }
}
