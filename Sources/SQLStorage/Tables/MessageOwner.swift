import Identifiers
import SQL

/// The values of a message that the other stores need.
struct MessageOwner {
    let organization: Int64
    /// The numbers of its purposes.
    let purposes: PerActivity<Int64>
    let madeAt: Timestamp

    private static func purposes(_ clicks: Int64, _ opens: Int64?) -> PerActivity<Int64> {
        opens.map { .apart(clicks: clicks, opens: $0) } ?? .together(clicks)
    }

    private static let columns = "SELECT organization, purpose, created_at, opens_purpose, id FROM messages"

    /// - Returns: `nil` when there is no such message.
    static func find(_ id: MessageID, _ db: any SQLConnection) throws -> MessageOwner? {
        try db.statement("\(columns) WHERE id = ?").first(id, read: MessageOwner.init)
    }

    /// Those of the messages that exist. The engine must have lists.
    static func find(all ids: Set<MessageID>, _ db: any SQLConnection) throws -> [MessageID: MessageOwner] {
        let found = try db.statement("\(columns) WHERE id = ANY(?)")
            .all(IntegerList(ids.map { Int64($0.rawValue) })) { (try $0.id(4) as MessageID, MessageOwner($0)) }
        return Dictionary(uniqueKeysWithValues: found)
    }

    private init(_ row: SQLRow) {
        organization = row.integer(0)
        purposes = Self.purposes(row.integer(1), row.optionalInteger(3))
        madeAt = row.timestamp(2)
    }
}
