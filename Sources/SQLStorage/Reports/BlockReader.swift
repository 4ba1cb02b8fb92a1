import Identifiers
import SQL

/// Reads blocks at their places: a thousand with one query if the engine has lists, otherwise each with its own.
struct BlockReader {
    /// A thousand blocks are half a megabyte.
    private static let placesAtOnce = 1_000

    private let db: any SQLConnection
    private let clicks: SQLStatement
    private let opens: SQLStatement
    private let responders: SQLStatement

    init(_ db: any SQLConnection) throws {
        self.db = db
        func people(_ activity: TrackedActivity) throws -> SQLStatement {
            try db.statement("SELECT states FROM \(PeopleTables(activity).blocks) WHERE message = ? AND block = ?")
        }
        (clicks, opens) = (try people(.clicks), try people(.opens))
        responders = try db.statement(
            "SELECT bits FROM message_responders WHERE message = ? AND response = ? AND block = ?")
    }

    /// Calls `visit` with the bytes of each block, in the order of the places.
    func forEach(
        _ places: [StoredBlocks.BlockKey], visit: (StoredBlocks.BlockKey, [UInt8]) throws -> Void
    ) throws {
        guard db.dialect.hasLists else {
            for place in places {
                if let bytes = try bytes(at: place) { try visit(place, bytes) }
            }
            return
        }
        for start in stride(from: 0, to: places.count, by: Self.placesAtOnce) {
            let some = Array(places[start..<min(start + Self.placesAtOnce, places.count)])
            for (place, bytes) in zip(some, try bytes(at: some)) {
                if let bytes { try visit(place, bytes) }
            }
        }
    }

    private func bytes(at place: StoredBlocks.BlockKey) throws -> [UInt8]? {
        switch place.kind {
        case .people(let activity):
            try (activity == .opens ? opens : clicks).first(place.message, place.block) { $0.bytes(0) }
        case .responders(let response):
            try responders.first(place.message, response.rawValue, place.block) { $0.bytes(0) }
        }
    }

    private func bytes(at places: [StoredBlocks.BlockKey]) throws -> [[UInt8]?] {
        var found = [[UInt8]?](repeating: nil, count: places.count)
        for (kind, ofKind) in Dictionary(grouping: places.indices, by: { places[$0].kind }) {
            let messages = IntegerList(ofKind.map { Int64(places[$0].message.rawValue) })
            let blocks = IntegerList(ofKind.map { places[$0].block })
            func add(_ row: SQLRow) -> Bool {
                found[ofKind[Int(row.integer(0)) - 1]] = row.bytes(1)
                return true
            }
            switch kind {
            case .people(let activity):
                try db.statement(Self.question("states", PeopleTables(activity).blocks)).forEach(
                    messages, blocks, visit: add)
            case .responders(let response):
                try db.statement(Self.question("bits", "message_responders", "AND response = ?3")).forEach(
                    messages, blocks, response.rawValue, visit: add)
            }
        }
        return found
    }

    /// There is only one row; the limit makes the server look each place up, where it might otherwise scan a whole
    /// index.
    private static func question(_ column: String, _ table: String, _ condition: String = "") -> String {
        """
        SELECT q.number, b.\(column)
        FROM unnest(?1, ?2) WITH ORDINALITY q (message, block, number) CROSS JOIN LATERAL (
            SELECT \(column) FROM \(table) WHERE message = q.message AND block = q.block \(condition) LIMIT 1
        ) b
        """
    }
}
