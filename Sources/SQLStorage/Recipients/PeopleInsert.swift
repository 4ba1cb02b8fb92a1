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
    /// The rows that wait for their order; `nil` if no row waits.
    private var waiting: [Row]?

    init(_ db: any SQLConnection) throws {
        self.db = db
        // Without lists, each row is written at once, because the look-up of the next recipient must find it.
        insert = db.dialect.hasLists ? try db.rows(Self.sql) : RowInsert(try db.statement(Self.sql))
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
