import Identifiers
import Reports
import SQL

/// Where the blocks of several messages are stored, found before one of them is read.
///
/// A place is listed once for each time that its block is looked up, and nothing else is looked up: the number of places
/// says how long reading takes.
struct StoredBlocks {
    struct Place {
        let kind: Kind
        let message: MessageID
        let block: Int64
    }

    enum Kind: Hashable {
        /// People by their decisions about an activity.
        case people(TrackedActivity)
        case responders(Response)
    }

    /// By block, and of each block the oldest message first.
    let clicks: [Place]
    /// The same for decisions about opens; empty where no message has any of its own.
    let opens: [Place]
    /// By block.
    let responders: [Place]

    /// - Parameters:
    ///   - apart: those of the messages that were decided for clicks and opens apart.
    ///   - most: how many places there may be.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    init(of messages: [MessageID], apart: Set<MessageID>, most: Int, _ db: any SQLConnection) throws {
        var search = BlockSearch(left: most, db)
        var clicks = try search.people(.clicks, of: messages)
        var opens: [Place] = []
        if !apart.isEmpty {
            // Who was decided about once counts under the same reason for opens: that block is read again.
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

    private static func isBefore(_ one: Place, _ other: Place) -> Bool {
        (one.block, one.message) < (other.block, other.message)
    }
}

/// Finds places until there are too many.
private struct BlockSearch {
    /// Messages of one question, where the engine has lists.
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

    mutating func people(_ activity: TrackedActivity, of messages: [MessageID]) throws -> [StoredBlocks.Place] {
        try places(of: messages, "SELECT message, block FROM \(PeopleTables(activity).blocks)") { _ in
            .people(activity)
        }
    }

    mutating func responders(to messages: [MessageID]) throws -> [StoredBlocks.Place] {
        try places(of: messages, "SELECT message, block, response FROM message_responders") { row in
            Response(rawValue: row.integer(2)).map { .responders($0) }
        }
    }

    /// - Parameter kind: of a row; `nil` for one that no service writes.
    private mutating func places(
        of messages: [MessageID], _ columns: String, kind: (SQLRow) -> StoredBlocks.Kind?
    ) throws -> [StoredBlocks.Place] {
        let find = try db.statement("\(columns) WHERE message \(db.dialect.hasLists ? "= ANY(?)" : "= ?") LIMIT ?")
        func place(_ row: SQLRow) throws -> StoredBlocks.Place? {
            let block = row.integer(1)
            // No recipient has a number below 0.
            guard block >= 0, let kind = kind(row) else { return nil }
            return StoredBlocks.Place(kind: kind, message: try row.id(0), block: block)
        }
        var places: [StoredBlocks.Place] = []
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
