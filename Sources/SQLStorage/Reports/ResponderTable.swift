import Identifiers
import Interactions
import Reports
import SQL

/// Notes what recipients count as having done, inside a write. Reads and writes each block once.
struct ResponderTable {
    private struct Place: Hashable {
        let message: MessageID
        let response: Response
        let block: Int64
    }

    private let db: any SQLConnection
    private let find: SQLStatement
    private let put: RowInsert
    private var blocks: [Place: ResponderBlock] = [:]
    private var changed: Set<Place> = []

    init(_ db: any SQLConnection) throws {
        self.db = db
        find = try db.statement("SELECT bits FROM message_responders WHERE message = ? AND response = ? AND block = ?")
        put = try db.rows(
            """
            INSERT INTO message_responders (message, response, block, bits) VALUES (?, ?, ?, ?)
            ON CONFLICT (message, response, block) DO UPDATE SET bits = excluded.bits
            """
        )
    }

    /// Reads at once, where the engine can, the blocks that hold what recipients did with messages.
    mutating func prefetch(_ people: [(message: MessageID, recipient: Int64)]) throws {
        guard db.dialect.hasLists, people.count > 1 else { return }
        var places: Set<Place> = []
        for (message, recipient) in people {
            let block = ResponderBlock.number(of: recipient)
            for response in Response.allCases {
                places.insert(Place(message: message, response: response, block: block))
            }
        }
        let asked = places.filter { blocks[$0] == nil }
        for place in asked { blocks[place] = ResponderBlock() }
        try db.statement(
            """
            SELECT q.message, q.response, q.block, r.bits
            FROM unnest(?1, ?2, ?3) q (message, response, block) CROSS JOIN LATERAL (
                SELECT bits FROM message_responders
                WHERE message = q.message AND response = q.response AND block = q.block
            ) r
            """
        ).forEach(
            IntegerList(asked.map { Int64($0.message.rawValue) }), IntegerList(asked.map(\.response.rawValue)),
            IntegerList(asked.map(\.block))
        ) { row in
            guard let response = Response(rawValue: row.integer(1)) else { return true }
            let place = Place(message: try row.id(0), response: response, block: row.integer(2))
            blocks[place] = ResponderBlock(bytes: row.bytes(3))
            return true
        }
    }

    /// The recipient counts as having done at most this.
    mutating func keep(_ responses: Set<Response>, of recipient: Int64, to message: MessageID) throws {
        try note(responses, of: recipient, to: message, onlyForgetting: true)
    }

    /// The recipient counts as having done exactly this.
    mutating func note(
        _ responses: Set<Response>, of recipient: Int64, to message: MessageID, onlyForgetting: Bool = false
    ) throws {
        for response in Response.allCases {
            let place = Place(message: message, response: response, block: ResponderBlock.number(of: recipient))
            if blocks[place] == nil {
                blocks[place] =
                    try find.first(message, response.rawValue, place.block) {
                        ResponderBlock(bytes: $0.bytes(0))
                    } ?? ResponderBlock()
            }
            let responded = responses.contains(response)
            if onlyForgetting, responded { continue }
            guard blocks[place]?[recipient] != responded else { continue }
            blocks[place]?[recipient] = responded
            changed.insert(place)
        }
    }

    func finish() throws {
        for place in changed {
            guard let block = blocks[place] else { continue }
            try put.add(place.message, place.response.rawValue, place.block, block.bytes)
        }
        try put.finish()
    }
}
