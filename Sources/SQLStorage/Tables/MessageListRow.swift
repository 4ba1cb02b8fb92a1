import Identifiers
import Messages
import SQL

/// Reads and writes the data of a message that lists and reports use and that its row does not have: its name, its
/// tags, and whether its opens are measured.
enum MessageListRow {
    static func insert(_ message: StoredMessage, organization: Int64, _ db: any SQLConnection) throws {
        try db.statement("INSERT INTO message_names (organization, message, name, tracks_opens) VALUES (?, ?, ?, ?)")
            .run(organization, message.id, Array(message.content.name.utf8), message.content.openTracking)
        guard !message.content.tags.isEmpty else { return }
        let insert = try db.statement("INSERT INTO message_tags (organization, tag, message) VALUES (?, ?, ?)")
        for tag in message.content.tags { try insert.run(organization, tag.bytes, message.id) }
    }

    /// Whether the content of a message asks for its opens to be measured.
    static func tracksOpens(_ message: MessageID, organization: Int64, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT tracks_opens FROM message_names WHERE organization = ? AND message = ?")
            .first(organization, message) { $0.bool(0) } ?? false
    }

    /// In order.
    static func tags(of message: Int64, _ db: any SQLConnection) throws -> [MessageTag] {
        try db.statement(
            "SELECT tag FROM message_tags INDEXED BY message_tags_by_message WHERE message = ? ORDER BY tag"
        )
        .all(message) { row in
            do throws(MessageTagError) {
                return try MessageTag(String(decoding: row.bytes(0), as: UTF8.self))
            } catch {
                throw StorageError.unreadable
            }
        }
    }

    /// Whether the data for lists and reports is exactly what the content of the message says.
    static func agrees(with content: Message, of message: Int64, organization: Int64, _ db: any SQLConnection) throws
        -> Bool
    {
        let stored = try db.statement(
            "SELECT name, tracks_opens FROM message_names WHERE organization = ? AND message = ?"
        ).first(organization, message) { (name: $0.bytes(0), tracksOpens: $0.integer(1)) }
        let tags = try db.statement(
            """
            SELECT organization, tag FROM message_tags INDEXED BY message_tags_by_message WHERE message = ?
            ORDER BY tag, organization
            """
        ).all(message) { (organization: $0.integer(0), tag: $0.bytes(1)) }
        return stored?.name == Array(content.name.utf8) && stored?.tracksOpens == (content.openTracking ? 1 : 0)
            && tags.allSatisfy { $0.organization == organization }
            && tags.map(\.tag) == content.tags.map(\.bytes)
    }
}
