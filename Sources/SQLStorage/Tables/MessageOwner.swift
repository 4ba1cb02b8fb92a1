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

    /// - Returns: `nil` when there is no such message, or when it is of no organization.
    /// - Throws: ``UnreadableMessageRow``
    static func find(_ id: MessageID, _ db: any SQLConnection) throws -> MessageOwner? {
        do {
            return try db.statement("\(columns) WHERE id = ?").first(id, read: MessageOwner.init)
        } catch StorageError.unreadable {
            try throwIfOfOrganization(id, db)
            return nil
        }
    }

    /// Those of the messages that exist and are of an organization. The engine must have lists.
    /// - Throws: ``UnreadableMessageRow``
    static func find(all ids: Set<MessageID>, _ db: any SQLConnection) throws -> [MessageID: MessageOwner] {
        let found = try db.statement("\(columns) WHERE id = ANY(?)")
            .all(IntegerList(ids.map { Int64($0.rawValue) })) { row in
                (id: try row.id(4) as MessageID, owner: try row.ifReadable { MessageOwner(row) })
            }
        for (id, owner) in found where owner == nil { try throwIfOfOrganization(id, db) }
        // A damaged table may have a row twice.
        return Dictionary(found.compactMap { id, owner in owner.map { (id, $0) } }) { first, _ in first }
    }

    /// Throws ``UnreadableMessageRow`` for a message that has a value that cannot be read, if it is of an organization.
    private static func throwIfOfOrganization(_ id: MessageID, _ db: any SQLConnection) throws {
        let organization = try db.statement(
            "SELECT o.id FROM messages m JOIN organizations o ON o.number = m.organization WHERE m.id = ?"
        ).first(id) { try OrganizationID($0.text(0)) }
        if let organization { throw UnreadableMessageRow(id: Int64(id.rawValue), organization: organization) }
    }

    private init(_ row: SQLRow) {
        organization = row.integer(0)
        purposes = Self.purposes(row.integer(1), row.optionalInteger(3))
        madeAt = row.timestamp(2)
    }
}
