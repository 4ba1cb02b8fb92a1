import Identifiers
import SQL

/// Of which messages retention has deleted interactions. A recipient of theirs of whom nothing is stored may have been
/// counted before.
enum DeletedInteractions {
    /// - Returns: when the first was deleted; `nil` while all are stored.
    static func since(_ message: MessageID, _ db: any SQLConnection) throws -> Timestamp? {
        try db.statement("SELECT since FROM deleted_interactions WHERE message = ?").first(message) { $0.timestamp(0) }
    }

    /// Inside the write that deletes some.
    static func note(_ messages: Set<MessageID>, at now: Timestamp, _ db: any SQLConnection) throws {
        let note = try db.statement(
            "INSERT INTO deleted_interactions (message, since) VALUES (?, ?) ON CONFLICT DO NOTHING")
        for message in messages { try note.run(message, now) }
    }
}
