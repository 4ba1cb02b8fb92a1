import Identifiers
import SQL

/// The values of a message that lists and reports need.
struct ListedMessage {
    /// The numbers of its purposes.
    let purposes: PerActivity<Int64>
    let tracksOpens: Bool

    /// Those of the messages that belong to the organization.
    static func all(
        _ messages: [MessageID], in organization: Int64, _ db: any SQLConnection
    ) throws -> [MessageID: ListedMessage] {
        var found: [MessageID: ListedMessage] = [:]
        func add(_ row: SQLRow) throws -> Bool {
            let clicks = row.integer(1)
            found[try row.id(0)] = ListedMessage(
                purposes: row.optionalInteger(2).map { .apart(clicks: clicks, opens: $0) } ?? .together(clicks),
                tracksOpens: row.optionalInteger(3).map { $0 != 0 } ?? false)
            return true
        }
        let statement = try db.statement(
            """
            SELECT m.id, m.purpose, m.opens_purpose, n.tracks_opens FROM messages m INDEXED BY messages_listed
                LEFT JOIN message_names n ON n.organization = m.organization AND n.message = m.id
            WHERE m.organization = ? AND m.id \(db.dialect.hasLists ? "= ANY(?)" : "= ?")
            """
        )
        if db.dialect.hasLists {
            try statement.forEach(organization, IntegerList(messages.map { Int64($0.rawValue) }), visit: add)
        } else {
            for message in messages { try statement.forEach(organization, message, visit: add) }
        }
        return found
    }
}
