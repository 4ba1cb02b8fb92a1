import Identifiers
import Messages
import SQL

/// Reads and writes the links that were added to messages.
enum AddedLinkRow {
    private static let members = "link, url, place, label"
    private static let columns = "SELECT \(members) FROM added_links"

    /// In the order of their indexes.
    static func all(of message: MessageID, _ db: any SQLConnection) throws -> [MessageLink] {
        try db.statement("\(columns) WHERE message = ? ORDER BY link").all(message, read: link)
    }

    /// The same for many messages. Of a message with a link that cannot be read there is an error.
    static func all(
        ofEach messages: [MessageID], _ db: any SQLConnection
    ) throws -> [MessageID: Result<[MessageLink], TargetURLError>] {
        var found: [MessageID: Result<[MessageLink], TargetURLError>] = [:]
        func add(_ row: SQLRow, to message: MessageID) throws {
            do {
                found[message] = try .success((found[message]?.get() ?? []) + [link(row)])
            } catch let error as TargetURLError {
                found[message] = .failure(error)
            }
        }
        guard db.dialect.hasLists else {
            for message in messages {
                try db.statement("\(columns) WHERE message = ? ORDER BY link").forEach(message) { row in
                    try add(row, to: message)
                    return true
                }
            }
            return found
        }
        try db.statement("SELECT \(members), message FROM added_links WHERE message = ANY(?) ORDER BY message, link")
            .forEach(IntegerList(messages.map { Int64($0.rawValue) })) { row in
                try add(row, to: row.id(4))
                return true
            }
        return found
    }

    static func find(_ target: TargetURL, of message: MessageID, _ db: any SQLConnection) throws -> MessageLink? {
        try db.statement("\(columns) WHERE message = ? AND url = ?").first(message, target.text, read: link)
    }

    static func count(of message: MessageID, _ db: any SQLConnection) throws -> Int {
        try db.statement("SELECT count(*) FROM added_links WHERE message = ?").first(message) { Int($0.integer(0)) }
            ?? 0
    }

    static func insert(_ link: MessageLink, of message: MessageID, _ db: any SQLConnection) throws {
        try db.statement("INSERT INTO added_links (message, link, url, place, label) VALUES (?, ?, ?, ?, ?)")
            .run(message, link.index.rawValue, link.target.text, link.location, link.label)
    }

    private static func link(_ row: SQLRow) throws -> MessageLink {
        guard let index = UInt16(exactly: row.integer(0)) else { throw StorageError.unreadable }
        return MessageLink(
            index: LinkIndex(rawValue: index),
            target: try TargetURL(stored: row.text(1)),
            location: row.text(2),
            label: row.optionalText(3),
            isTracked: true
        )
    }
}
