import Identifiers
import Ledger
import Messages
import SQL
import StoragePorts

/// Reads and writes whole messages.
enum MessageRow {
    private static let values = "SELECT m.id, o.id, m.content, m.created_at, m.is_disabled"
    private static let owners = "JOIN organizations o ON o.number = m.organization"
    private static let columns = "\(values) FROM messages m \(owners)"
    /// The row in the table, found by an index that has a copy of the digest.
    private static let ofDigest = """
        FROM messages i CROSS JOIN messages m NOT INDEXED ON m.id = i.id \(owners)
        WHERE i.organization = ? AND i.digest = ?
        """

    static func find(_ id: MessageID, _ db: any SQLConnection) throws -> StoredMessage? {
        try findWithoutAddedLinks(id, db).map { try withAddedLinks($0, db) }
    }

    /// Without its added links.
    static func findWithoutAddedLinks(_ id: MessageID, _ db: any SQLConnection) throws -> StoredMessage? {
        try db.statement("\(columns) WHERE m.id = ?").first(id, read: message)
    }

    /// The message, unless it is too large for a short read. Of a large one, only its organization is read: not even
    /// the columns behind the content in its row.
    static func look(at id: MessageID, withAddedLinks hasLinks: Bool, _ db: any SQLConnection) throws -> MessageLook? {
        let small = "\(columns) WHERE m.id = ? AND length(m.content) <= \(MessageLook.fewBytes)"
        guard var message = try db.statement(small).first(id, read: unparsed) else {
            return try db.statement("SELECT o.id FROM messages m \(owners) WHERE m.id = ?").first(id) { row in
                .large(of: try OrganizationID(row.text(0)))
            }
        }
        guard hasLinks else { return .small(message) }
        message.addedLinks = try readable(id, of: message.organization) {
            try AddedLinkRow.all(of: id, after: nil, limit: MessageLook.fewLinks + 1, db)
        }
        let isSmall = message.addedLinks.count <= MessageLook.fewLinks
        return isSmall ? .small(message) : .large(of: message.organization)
    }

    /// Without its added links.
    /// - Throws: ``UnreadableMessageRow`` also if the index leads to another message.
    static func find(digest: [UInt8], organization: Int64, _ db: any SQLConnection) throws -> UnparsedMessage? {
        try db.statement("\(values), m.organization, m.digest \(ofDigest)").first(organization, digest) { row in
            guard row.integer(5) == organization, row.bytes(6) == digest else {
                throw try misled(row, organization, db)
            }
            return try unparsed(row)
        }
    }

    /// The index led to another message than the organization asked for. Its links and its purpose must not be used.
    private static func misled(_ row: SQLRow, _ organization: Int64, _ db: any SQLConnection) throws -> any Error {
        let id = row.integer(0)
        let asking = try db.statement("SELECT id FROM organizations WHERE number = ?")
            .first(organization) { try OrganizationID($0.text(0)) }
        return asking.map { UnreadableMessageRow(id: id, organization: $0, fault: .index) } ?? StorageError.unreadable
    }

    static func insert(
        _ message: StoredMessage,
        content: [UInt8],
        digest: [UInt8],
        organization: Int64,
        _ db: any SQLConnection
    ) throws {
        let purposes = message.content.purposes
        let purpose = try PurposeRow.findOrInsert(purposes.clicks, db)
        let opensPurpose = try purposes.shared == nil ? PurposeRow.findOrInsert(purposes.opens, db) : nil
        try db.statement(
            """
            INSERT INTO messages (id, organization, digest, content, purpose, opens_purpose, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(
            message.id,
            organization,
            digest,
            content,
            purpose,
            opensPurpose,
            message.createdAt,
            message.content.expiresAt
        )
        try MessageListRow.insert(message, organization: organization, db)
    }

    /// - Throws: ``UnreadableMessageRow`` if the index leads to another message.
    static func id(digest: [UInt8], organization: Int64, _ db: any SQLConnection) throws -> MessageID? {
        try db.statement("SELECT m.id, m.organization, m.digest \(ofDigest)").first(organization, digest) { row in
            guard row.integer(1) == organization, row.bytes(2) == digest else {
                throw try misled(row, organization, db)
            }
            return try row.id(0)
        }
    }

    /// A message that was read before, with the values that may have changed since, and with these added links.
    static func asItIsNow(
        _ message: StoredMessage, with added: [MessageLink], _ db: any SQLConnection
    ) throws -> StoredMessage {
        guard let isDisabled = try isDisabled(message.id, of: message.organization, db) else {
            throw StorageError.unreadable
        }
        var current = message.having(only: added)
        current.isDisabled = isDisabled
        return current
    }

    /// Whether a message is disabled at the moment; `nil` if there is none.
    /// - Throws: ``UnreadableMessageRow``
    static func isDisabled(
        _ id: MessageID, of organization: OrganizationID, _ db: any SQLConnection
    ) throws -> Bool? {
        try readable(id, of: organization) {
            try db.statement("SELECT is_disabled FROM messages WHERE id = ?").first(id) { $0.bool(0) }
        }
    }

    /// The messages of all organizations after `id`, in the order of their ids. A message that cannot be read is left
    /// out; the check of the ledgers or a request for the message finds it.
    static func page(after id: MessageID?, limit: Int, _ db: any SQLConnection) throws -> MessagePage {
        var messages: [StoredMessage] = []
        var last = id
        try db.statement("\(columns) WHERE m.id > ? ORDER BY m.id LIMIT ?")
            .forEach(id.map { Int64($0.rawValue) } ?? 0, limit) { row in
                last = try row.id(0)
                if let found = try row.ifReadable({ try message(row) }) { messages.append(found) }
                return true
            }
        let added = try AddedLinkRow.all(ofEach: messages.map(\.id), db)
        let found = messages.compactMap { message in
            guard let links = added[message.id] else { return message }
            return links.flatMap { message.content.mayHave(added: $0) ? message.having(only: $0) : nil }
        }
        return MessagePage(messages: found, last: last == id ? nil : last)
    }

    private static func withAddedLinks(_ message: StoredMessage, _ db: any SQLConnection) throws -> StoredMessage {
        let links = try addedLinks(of: message, after: nil, db)
        return links.isEmpty ? message : message.having(only: links)
    }

    /// The links that are added to a message behind `last`.
    /// - Throws: ``UnreadableMessageRow``
    static func addedLinks(
        of message: StoredMessage, after last: LinkIndex?, _ db: any SQLConnection
    ) throws -> [MessageLink] {
        try readable(message.id, of: message.organization) {
            let links = try AddedLinkRow.all(of: message.id, after: last, db)
            guard message.content.mayHave(added: links) else { throw StorageError.unreadable }
            return links
        }
    }

    /// The added link that leads to `target`.
    /// - Throws: ``UnreadableMessageRow``
    static func addedLink(
        to target: TargetURL, of message: StoredMessage, _ db: any SQLConnection
    ) throws -> MessageLink? {
        try readable(message.id, of: message.organization) {
            guard let link = try AddedLinkRow.link(to: target, of: message.id, db) else { return nil }
            guard message.content.mayHave(added: [link]) else { throw StorageError.unreadable }
            return link
        }
    }

    /// Calls `body`, which reads values of a message besides its content, and converts its errors.
    /// - Throws: ``UnreadableMessageRow``
    static func readable<Value>(
        _ message: MessageID, of organization: OrganizationID, _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch is TargetURLError {
            throw UnreadableMessageRow(id: Int64(message.rawValue), organization: organization)
        } catch StorageError.unreadable {
            throw UnreadableMessageRow(id: Int64(message.rawValue), organization: organization)
        }
    }

    private static func message(_ row: SQLRow) throws -> StoredMessage { try unparsed(row).message() }

    /// - Throws: ``UnreadableMessageRow``
    private static func unparsed(_ row: SQLRow) throws -> UnparsedMessage {
        let organization = try OrganizationID(row.text(1))
        do {
            let message = UnparsedMessage(
                id: try row.id(0),
                organization: organization,
                content: row.bytes(2),
                createdAt: row.timestamp(3),
                isDisabled: row.bool(4)
            )
            try row.requireReadable()
            return message
        } catch StorageError.unreadable {
            throw UnreadableMessageRow(id: row.integer(0), organization: organization)
        }
    }
}
