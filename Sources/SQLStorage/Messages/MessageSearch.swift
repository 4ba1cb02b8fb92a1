import Identifiers
import Messages
import SQL

/// Finds the messages that fit a query, newest first.
///
/// Without a filter, or by a tag, it walks an index in the order of ids. By a name it does the same, unless only a few
/// names begin so: then it uses the index of names. If many names begin so and all of those messages are old, the walk
/// passes all newer messages.
struct MessageSearch {
    /// Up to this number of messages with fitting names, they are sorted in memory. If there are more, it walks.
    private static let fewNames = 1_000
    /// Ids carry the time of creation, except after a clock was set back.
    private static let clockStep = Duration.hours(1)
    /// No UTF-8 text begins with this byte.
    private static let endOfNames: [UInt8] = [0xFF]

    private static let columns =
        "m.id, n.name, p.name, m.created_at, m.expires_at, m.is_disabled, o.name, m.opens_purpose"
    private static let joined = """
        CROSS JOIN message_names n ON n.organization = m.organization AND n.message = m.id
        LEFT JOIN purposes p ON p.number = m.purpose LEFT JOIN purposes o ON o.number = m.opens_purpose
        """
    private static let fits = "m.created_at >= ? AND m.created_at < ? AND n.name >= ? AND n.name < ?"

    private let query: MessageQuery
    private let id: OrganizationID
    private let organization: Int64
    private let limit: Int
    private let from: Timestamp
    private let to: Timestamp
    private let ids: Range<Int64>
    private let names: (lower: [UInt8], upper: [UInt8])

    init(_ query: MessageQuery, in id: OrganizationID, number: Int64, limit: Int) {
        self.query = query
        self.id = id
        organization = number
        self.limit = limit
        from = query.from ?? .distantPast
        to = query.to ?? .distantFuture
        let range = IDRange(
            after: nil as MessageID?, from: query.from.map { $0 - Self.clockStep },
            to: query.to?.advanced(by: Self.clockStep))
        let upper = min(range.upper, query.after.map { Int64($0.rawValue) } ?? .max)
        ids = min(range.lower, upper)..<upper
        names = (query.name?.bytes ?? [], query.name.map(\.endOfRange) ?? Self.endOfNames)
    }

    func messages(_ db: any SQLConnection) throws -> [MessageSummary] {
        guard limit > 0 else { return [] }
        if let tag = query.tag { return try walk(tag, db) }
        if query.name != nil, let few = try idsOfFewNames(db) { return try messages(few, db) }
        return try walk(db)
    }

    private func walk(_ db: any SQLConnection) throws -> [MessageSummary] {
        try db.statement(
            """
            SELECT \(Self.columns) FROM messages m INDEXED BY messages_listed \(Self.joined)
            WHERE m.organization = ? AND m.id >= ? AND m.id < ? AND \(Self.fits) ORDER BY m.id DESC LIMIT ?
            """
        ).all(organization, ids.lowerBound, ids.upperBound, from, to, names.lower, names.upper, limit) {
            try summary($0, db)
        }
    }

    /// The plus keeps SQLite from reading, for each message of the tag, all messages between the two ids.
    private func walk(_ tag: MessageTag, _ db: any SQLConnection) throws -> [MessageSummary] {
        try db.statement(
            """
            SELECT \(Self.columns) FROM message_tags t
                CROSS JOIN messages m INDEXED BY messages_listed ON m.organization = t.organization AND m.id = +t.message
                \(Self.joined)
            WHERE t.organization = ? AND t.tag = ? AND t.message >= ? AND t.message < ? AND \(Self.fits)
            ORDER BY t.message DESC LIMIT ?
            """
        ).all(organization, tag.bytes, ids.lowerBound, ids.upperBound, from, to, names.lower, names.upper, limit) {
            try summary($0, db)
        }
    }

    /// Newest first; `nil` if there are too many.
    private func idsOfFewNames(_ db: any SQLConnection) throws -> [Int64]? {
        let found = try db.statement(
            """
            SELECT message FROM message_names INDEXED BY message_names_by_name
            WHERE organization = ? AND name >= ? AND name < ? LIMIT ?
            """
        ).all(organization, names.lower, names.upper, Self.fewNames + 1) { $0.integer(0) }
        return found.count > Self.fewNames ? nil : found.filter(ids.contains).sorted(by: >)
    }

    private func messages(_ ids: [Int64], _ db: any SQLConnection) throws -> [MessageSummary] {
        let statement = try db.statement(
            """
            SELECT \(Self.columns) FROM messages m INDEXED BY messages_listed \(Self.joined)
            WHERE m.organization = ? AND m.id = ? AND \(Self.fits)
            """)
        var found: [MessageSummary] = []
        for id in ids where found.count < limit {
            let message = try statement.first(organization, id, from, to, names.lower, names.upper) {
                try summary($0, db)
            }
            if let message { found.append(message) }
        }
        return found
    }

    /// - Throws: ``UnreadableMessageRow`` if a value of the message cannot be read.
    private func summary(_ row: SQLRow, _ db: any SQLConnection) throws -> MessageSummary {
        do {
            let summary = try readable(row, db)
            try row.requireReadable()
            return summary
        } catch StorageError.unreadable {
            throw UnreadableMessageRow(id: row.integer(0), organization: id)
        }
    }

    private func readable(_ row: SQLRow, _ db: any SQLConnection) throws -> MessageSummary {
        let clicks = try row.purpose(2)
        return MessageSummary(
            id: try row.id(0), name: String(decoding: row.bytes(1), as: UTF8.self),
            tags: try MessageListRow.tags(of: row.integer(0), db),
            purposes: MessagePurposes(clicks: clicks, opens: row.isNull(7) ? clicks : try row.purpose(6)),
            createdAt: row.timestamp(3), expiresAt: row.optionalTimestamp(4), isDisabled: row.bool(5))
    }
}

extension MessageNamePrefix {
    /// The least value that is greater than every name that begins so. The last byte of UTF-8 is never 0xFF, so adding
    /// 1 does not overflow.
    fileprivate var endOfRange: [UInt8] { bytes.dropLast() + bytes.suffix(1).map { $0 + 1 } }
}
