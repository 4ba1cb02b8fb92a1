import GRDB
import Identifiers
import Interactions

/// Stores occurrences, inside a write.
struct InteractionInsert {
    private let now: Timestamp
    private let db: Database
    private let insert: SQLStatement
    private let findRecipient: SQLStatement
    /// The owners of the messages met so far; there are few in a batch.
    private var owners: [MessageID: MessageOwner?] = [:]

    init(at now: Timestamp, _ db: Database) throws {
        self.now = now
        self.db = db
        insert = try db.statement(
            """
            INSERT OR IGNORE INTO interactions (
                id, organization, message, recipient, kind, source, link, is_automated, occurred_at, recorded_at,
                action
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        findRecipient = try db.statement(
            """
            SELECT number FROM recipients
            WHERE reference = ? AND organization = ? AND identifier IS NOT NULL
            """
        )
    }

    mutating func add(_ spooled: SpooledOccurrence) throws {
        let occurrence = spooled.occurrence
        guard let organization = try owner(of: occurrence.message)?.organization else { return }
        let recipient = try findRecipient.first(occurrence.recipient, organization) { $0.integer(0) }
        try insert.run(
            spooled.id,
            organization,
            occurrence.message,
            recipient,
            occurrence.kind.code,
            occurrence.source.code,
            occurrence.link.rawValue,
            occurrence.visitor.isAutomated,
            occurrence.occurredAt,
            now,
            occurrence.action?.text
        )
    }

    private mutating func owner(of message: MessageID) throws -> MessageOwner? {
        if let known = owners[message] { return known }
        let owner = try MessageOwner.find(message, db)
        owners[message] = .some(owner)
        return owner
    }
}
