import Identifiers
import Messages
import SQL

/// Reads and writes the links that were added to messages.
enum AddedLinkRow {
    private static let members = "link, url, place, label"
    private static let columns = "SELECT \(members) FROM added_links"

    /// In the order of their indexes.
    /// - Parameter last: returns only the links behind it; `nil` returns all.
    static func all(
        of message: MessageID, after last: LinkIndex?, limit: Int = .max, _ db: any SQLConnection
    ) throws -> [MessageLink] {
        try db.statement("\(columns) WHERE message = ? AND link > ? ORDER BY link LIMIT ?")
            .all(message, last.map { Int64($0.rawValue) } ?? .min, limit, read: link)
    }

    /// The link that leads to `target`.
    static func link(to target: TargetURL, of message: MessageID, _ db: any SQLConnection) throws -> MessageLink? {
        try db.statement("\(columns) WHERE message = ? AND url = ?").first(message, target.text, read: link)
    }

    /// The index of the last link.
    static func last(of message: MessageID, _ db: any SQLConnection) throws -> LinkIndex? {
        try db.statement("SELECT link FROM added_links WHERE message = ? ORDER BY link DESC LIMIT 1")
            .first(message, read: index)
    }

    /// Whether there is a link with this index.
    static func has(_ index: LinkIndex, of message: MessageID, _ db: any SQLConnection) throws -> Bool {
        try db.statement("SELECT 1 FROM added_links WHERE message = ? AND link = ?")
            .first(message, index.rawValue) { _ in true } ?? false
    }

    /// The first index behind `last` that a link has.
    static func next(after last: LinkIndex, of message: MessageID, _ db: any SQLConnection) throws -> LinkIndex? {
        try db.statement("SELECT link FROM added_links WHERE message = ? AND link > ? ORDER BY link LIMIT 1")
            .first(message, last.rawValue, read: index)
    }

    /// The indexes of all links.
    static func indexes(of message: MessageID, _ db: any SQLConnection) throws -> Set<Int> {
        Set(try db.statement("SELECT link FROM added_links WHERE message = ?").all(message) { Int($0.integer(0)) })
    }

    /// All links of many messages, in the order of their indexes; `nil` for a message with a link that cannot be read.
    static func all(
        ofEach messages: [MessageID], _ db: any SQLConnection
    ) throws -> [MessageID: [MessageLink]?] {
        var found: [MessageID: [MessageLink]] = [:]
        var unreadable: Set<MessageID> = []
        try db.forEachRow(of: messages) { condition in
            "SELECT \(members), message FROM added_links WHERE message \(condition) ORDER BY message, link"
        } visit: { row in
            let message: MessageID = try row.id(4)
            if let link = try row.ifReadable({ try link(row) }) {
                found[message, default: []].append(link)
            } else {
                unreadable.insert(message)
            }
        }
        return found.mapValues(Optional.some).merging(unreadable.map { ($0, nil) }) { $1 }
    }

    /// The memory that a link takes besides its texts, in bytes; a lower bound.
    private static let overhead = 100

    /// About how many bytes of memory the links of a message take. Stops reading once it has found more than `limit`
    /// bytes.
    static func size(of message: MessageID, upTo limit: Int, _ db: any SQLConnection) throws -> Int {
        try db.statement(
            """
            SELECT count(*), sum(length(url) + coalesce(length(label), 0))
            FROM (SELECT url, label FROM added_links WHERE message = ? LIMIT ?) AS links
            """
        ).first(message, limit / overhead + 1) { Int($0.integer(0)) * overhead + Int($0.optionalInteger(1) ?? 0) } ?? 0
    }

    static func insertion(_ db: any SQLConnection) throws -> RowInsert {
        try db.rows("INSERT INTO added_links (message, link, url, place, label) VALUES (?, ?, ?, ?, ?)")
    }

    static func add(_ link: MessageLink, of message: MessageID, to insert: RowInsert) throws {
        try insert.add(message, link.index.rawValue, link.target.text, link.location, link.label)
    }

    private static func index(_ row: SQLRow) throws -> LinkIndex {
        guard let index = UInt16(exactly: row.integer(0)) else { throw StorageError.unreadable }
        return LinkIndex(rawValue: index)
    }

    private static func link(_ row: SQLRow) throws -> MessageLink {
        MessageLink(
            index: try index(row),
            target: try TargetURL(stored: row.text(1)),
            location: row.text(2),
            label: row.optionalText(3),
            isTracked: true
        )
    }
}
