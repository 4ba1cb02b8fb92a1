import GRDB
import Identifiers
import SQLiteFiles

/// What the other stores need of a message.
struct MessageOwner {
    let organization: Int64
    let purpose: Int64
    let madeAt: Timestamp

    /// - Returns: `nil` when there is no such message.
    static func find(_ id: MessageID, _ db: Database) throws -> MessageOwner? {
        try db.statement("SELECT organization, purpose, created_at FROM messages WHERE id = ?").first(id) { row in
            MessageOwner(organization: row.integer(0), purpose: row.integer(1), madeAt: row.timestamp(2))
        }
    }
}
