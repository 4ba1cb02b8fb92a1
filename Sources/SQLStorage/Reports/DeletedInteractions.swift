import Identifiers
import SQL

/// The messages of which retention has deleted interactions. Their recipients without stored interactions may have been
/// counted before.
enum DeletedInteractions {
    /// - Returns: the time of the first deletion; `nil` if all are stored.
    static func since(_ message: MessageID, _ db: any SQLConnection) throws -> Timestamp? {
        try db.statement("SELECT since FROM deleted_interactions WHERE message = ?").first(message) { $0.timestamp(0) }
    }

    /// The times of the first deletion. Messages of which all interactions are stored are left out.
    static func since(of messages: [MessageID], _ db: any SQLConnection) throws -> [MessageID: Timestamp] {
        var since: [MessageID: Timestamp] = [:]
        try db.forEachRow(of: messages) { condition in
            "SELECT message, since FROM deleted_interactions WHERE message \(condition)"
        } visit: { row in
            since[try row.id(0)] = row.timestamp(1)
        }
        return since
    }

    /// - Returns: the messages of which interactions were deleted.
    static func messages(among messages: Set<MessageID>, _ db: any SQLConnection) throws -> Set<MessageID> {
        Set(try since(of: Array(messages), db).keys)
    }

    /// Must be called inside the write that deletes interactions.
    static func insert(_ messages: Set<MessageID>, at now: Timestamp, _ db: any SQLConnection) throws {
        let insert = try db.statement(
            "INSERT INTO deleted_interactions (message, since) VALUES (?, ?) ON CONFLICT (message) DO NOTHING")
        for message in messages { try insert.run(message, now) }
    }
}
