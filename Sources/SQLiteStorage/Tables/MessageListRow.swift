import GRDB
import Identifiers
import Messages
import SQLiteFiles

/// Reads and writes what lists have of a message beside its columns: its name and its tags.
enum MessageListRow {
    static func insert(_ message: StoredMessage, organization: Int64, _ db: Database) throws {
        try db.statement("INSERT INTO message_names (organization, message, name) VALUES (?, ?, ?)")
            .run(organization, message.id, Array(message.content.name.utf8))
        guard !message.content.tags.isEmpty else { return }
        let insert = try db.statement("INSERT INTO message_tags (organization, tag, message) VALUES (?, ?, ?)")
        for tag in message.content.tags { try insert.run(organization, tag.bytes, message.id) }
    }

    /// In order.
    static func tags(of message: Int64, _ db: Database) throws -> [MessageTag] {
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

    /// Whether lists have the message under the name and the tags of its content, and under no others.
    static func agrees(with content: Message, of message: Int64, organization: Int64, _ db: Database) throws -> Bool {
        let name = try db.statement("SELECT name FROM message_names WHERE organization = ? AND message = ?")
            .first(organization, message) { $0.bytes(0) }
        let tags = try db.statement(
            """
            SELECT organization, tag FROM message_tags INDEXED BY message_tags_by_message WHERE message = ?
            ORDER BY tag, organization
            """
        ).all(message) { (organization: $0.integer(0), tag: $0.bytes(1)) }
        return name == Array(content.name.utf8) && tags.allSatisfy { $0.organization == organization }
            && tags.map(\.tag) == content.tags.map(\.bytes)
    }
}
