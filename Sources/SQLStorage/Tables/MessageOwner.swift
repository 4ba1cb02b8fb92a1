import Identifiers
import SQL

/// What the other stores need of a message.
struct MessageOwner {
    let organization: Int64
    /// The numbers of its purposes.
    let purposes: PerActivity<Int64>
    let madeAt: Timestamp

    /// The purposes of a message of an organization, which lists keep beside its id.
    static func purposes(
        of message: MessageID, in organization: Int64, _ db: any SQLConnection
    ) throws -> PerActivity<Int64>? {
        try db.statement(
            "SELECT purpose, opens_purpose FROM messages INDEXED BY messages_listed WHERE organization = ? AND id = ?"
        ).first(organization, message) { purposes($0.integer(0), $0.optionalInteger(1)) }
    }

    private static func purposes(_ clicks: Int64, _ opens: Int64?) -> PerActivity<Int64> {
        opens.map { .apart(clicks: clicks, opens: $0) } ?? .together(clicks)
    }

    /// - Returns: `nil` when there is no such message.
    static func find(_ id: MessageID, _ db: any SQLConnection) throws -> MessageOwner? {
        try db.statement("SELECT organization, purpose, created_at, opens_purpose FROM messages WHERE id = ?")
            .first(id) { row in
                MessageOwner(
                    organization: row.integer(0), purposes: purposes(row.integer(1), row.optionalInteger(3)),
                    madeAt: row.timestamp(2))
            }
    }
}
