import Identifiers
import Messages
import Reports
import SQL

/// Finds the messages that a report of an organization is about.
enum SelectedMessages {
    /// A report reads a few rows for each message, in one snapshot.
    static let limit = 10_000

    /// - Returns: oldest first.
    /// - Throws: `ReportSelectionError.tooManyMessages`
    static func find(_ selection: ReportSelection, in organization: Int64, _ db: any SQLConnection) throws
        -> [MessageID]
    {
        // The id of a message carries the time when the message was made.
        let range = IDRange(after: MessageID?.none, from: selection.from, to: selection.to)
        let found: [MessageID]
        if let tag = selection.tag {
            found = try db.statement(
                """
                SELECT message FROM message_tags
                WHERE organization = ? AND tag = ? AND message >= ? AND message < ? ORDER BY message LIMIT ?
                """
            ).all(organization, tag.bytes, range.lower, range.upper, limit + 1) { try $0.id(0) }
        } else {
            found = try db.statement(
                """
                SELECT id FROM messages INDEXED BY messages_listed
                WHERE organization = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?
                """
            ).all(organization, range.lower, range.upper, limit + 1) { try $0.id(0) }
        }
        guard found.count <= limit else { throw ReportSelectionError.tooManyMessages }
        return found
    }
}
