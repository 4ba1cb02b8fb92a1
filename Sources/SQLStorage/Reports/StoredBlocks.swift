import Identifiers
import Reports
import SQL

/// Where the blocks of several messages are stored. All places are found before the first block is read.
///
/// A place is listed once for each time that its block is read, and nothing else is read. So the number of places tells
/// how long reading takes.
struct StoredBlocks {
    struct BlockKey {
        let kind: Kind
        let message: MessageID
        let block: Int64
    }

    enum Kind: Hashable {
        /// Recipients by the decisions about an activity.
        case people(TrackedActivity)
        case responders(Response)
    }

    /// Ordered by block; for each block the oldest message first.
    let clicks: [BlockKey]
    /// Blocks of decisions about opens, in the order of ``clicks``; empty if no message has such decisions.
    let opens: [BlockKey]
    /// Ordered by block.
    let responders: [BlockKey]

    /// - Parameters:
    ///   - apart: the messages with separate decisions for clicks and opens.
    ///   - most: the greatest number of places.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    init(of messages: [MessageID], apart: Set<MessageID>, most: Int, _ db: any SQLConnection) throws {
        var search = BlockSearch(left: most, db)
        var clicks = try search.people(.clicks, of: messages)
        var opens: [BlockKey] = []
        if !apart.isEmpty {
            // A recipient with one decision for both activities counts under the same reason for opens, so that block
            // is read again.
            opens = clicks.filter { !apart.contains($0.message) }
            try search.count(opens.count)
            opens += try search.people(.opens, of: messages.filter(apart.contains))
        }
        var responders = try search.responders(to: messages)
        clicks.sort(by: Self.isBefore)
        opens.sort(by: Self.isBefore)
        responders.sort(by: Self.isBefore)
        (self.clicks, self.opens, self.responders) = (clicks, opens, responders)
    }

    private static func isBefore(_ one: BlockKey, _ other: BlockKey) -> Bool {
        (one.block, one.message) < (other.block, other.message)
    }
}

/// Finds places, and fails when there are too many.
private struct BlockSearch {
    /// The messages of one query, if the engine has lists.
    private static let messagesAtOnce = 1_000

    private var left: Int
    private let db: any SQLConnection

    init(left: Int, _ db: any SQLConnection) {
        self.left = left
        self.db = db
    }

    mutating func count(_ places: Int) throws {
        left -= places
        guard left >= 0 else { throw ReportSelectionError.tooManyPeople }
    }

    mutating func people(_ activity: TrackedActivity, of messages: [MessageID]) throws -> [StoredBlocks.BlockKey] {
        try places(of: messages, "SELECT message, block FROM \(PeopleTables(activity).blocks)") { _ in
            .people(activity)
        }
    }

    mutating func responders(to messages: [MessageID]) throws -> [StoredBlocks.BlockKey] {
        try places(of: messages, "SELECT message, block, response FROM message_responders") { row in
            Response(rawValue: row.integer(2)).map { .responders($0) }
        }
    }

    /// - Parameter kind: the kind of a row; `nil` for a kind that no version of the service writes.
    private mutating func places(
        of messages: [MessageID], _ columns: String, kind: (SQLRow) -> StoredBlocks.Kind?
    ) throws -> [StoredBlocks.BlockKey] {
        let find = try db.statement("\(columns) WHERE message \(db.dialect.hasLists ? "= ANY(?)" : "= ?") LIMIT ?")
        func place(_ row: SQLRow) throws -> StoredBlocks.BlockKey? {
            let block = row.integer(1)
            // No recipient has a number below 0.
            guard block >= 0, let kind = kind(row) else { return nil }
            return StoredBlocks.BlockKey(kind: kind, message: try row.id(0), block: block)
        }
        var places: [StoredBlocks.BlockKey] = []
        guard db.dialect.hasLists else {
            for message in messages {
                let found = try find.all(message, left + 1, read: place)
                try count(found.count)
                places += found.compactMap(\.self)
            }
            return places
        }
        for start in stride(from: 0, to: messages.count, by: Self.messagesAtOnce) {
            let some = messages[start..<min(start + Self.messagesAtOnce, messages.count)]
            let found = try find.all(IntegerList(some.map { Int64($0.rawValue) }), left + 1, read: place)
            try count(found.count)
            places += found.compactMap(\.self)
        }
        return places
    }
}
