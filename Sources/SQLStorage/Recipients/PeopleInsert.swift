import Cryptography
import SQL

/// Inserts the hashes of new recipients. ``finish()`` must be called after the last one.
final class PeopleInsert {
    private struct Row {
        let hash: HMACSHA256.Tag
        let recipient: Int64?
        let isErased: Bool
        let isRespelled: Bool
    }

    private static let sql = "INSERT INTO people (hash, recipient, is_erased, is_respelled) VALUES (?, ?, ?, ?)"

    private let db: any SQLConnection
    private var insert: RowInsert
    private let insertUnlessThere: SQLStatement
    /// The rows that wait for their order; `nil` if no row waits.
    private var waiting: [Row]?

    init(_ db: any SQLConnection) throws {
        self.db = db
        // Without lists, each row is written at once, because the look-up of the next recipient must find it.
        insert = db.dialect.hasLists ? try db.rows(Self.sql) : RowInsert(try db.statement(Self.sql))
        insertUnlessThere = try db.statement("\(Self.sql) ON CONFLICT (hash) DO NOTHING")
    }

    /// From now on rows wait for ``finish()``, which writes them in the order of their hashes. Until then a look-up does
    /// not find them.
    func beginOrder(reserving count: Int) throws {
        insert = try db.rows(Self.sql)
        waiting = []
        waiting?.reserveCapacity(count)
    }

    func add(_ hash: HMACSHA256.Tag, _ recipient: Int64?, isErased: Bool, isRespelled: Bool) throws {
        guard waiting == nil else {
            waiting?.append(Row(hash: hash, recipient: recipient, isErased: isErased, isRespelled: isRespelled))
            return
        }
        try insert.add(hash, recipient, isErased, isRespelled)
    }

    /// Inserts the hash of a recipient who is not erased, unless it is there. Has no effect where rows wait or are sent
    /// together, because the result would not be known at once.
    /// - Returns: whether it was inserted.
    func addUnlessThere(_ hash: HMACSHA256.Tag, _ recipient: Int64, isRespelled: Bool) throws -> Bool {
        guard waiting == nil, !db.dialect.hasLists else { return false }
        return try insertUnlessThere.changes(hash, recipient, false, isRespelled) > 0
    }

    func finish() throws {
        if let rows = waiting, !rows.isEmpty {
            waiting = []
            for row in rows.sorted(by: { $0.hash.first64 < $1.hash.first64 }) {
                try insert.add(row.hash, row.recipient, row.isErased, row.isRespelled)
            }
        }
        try insert.finish()
    }
}

extension InlineArray where Element == UInt8 {
    /// The first eight bytes as a number. Hashes are in the order of these numbers, but for two that share them.
    var first64: UInt64 { span.withUnsafeBytes { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) } }
}
