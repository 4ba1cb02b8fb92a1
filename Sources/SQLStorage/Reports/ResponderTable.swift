import Identifiers
import Interactions
import SQL

/// Notes what recipients count as having done, inside a write. Reads and writes each block once.
struct ResponderTable {
    /// The blocks of some recipients of a message: one for each response.
    private struct BlockKey: Hashable {
        let message: MessageID
        let block: Int64
    }

    private final class Blocks {
        let place: BlockKey
        /// The blocks that were read, by ``Response/place``.
        var blocks = [ResponderBlock?](repeating: nil, count: Response.allCases.count)
        var changed = ResponseSet()

        init(_ place: BlockKey) { self.place = place }
    }

    private let db: any SQLConnection
    private let find: SQLStatement
    private let put: RowInsert
    private var places: [BlockKey: Blocks] = [:]
    /// The blocks of the recipient who was noted last. The next recipient is often in them too.
    private var last: Blocks?

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

    /// Reads with one query, if the engine can, the blocks of these recipients. Must be called before anything is
    /// noted.
    mutating func prefetch(_ people: [(message: MessageID, recipient: Int64)]) throws {
        guard db.dialect.hasLists, people.count > 1 else { return }
        for (message, recipient) in people {
            let place = BlockKey(message: message, block: ResponderBlock.number(of: recipient))
            guard places[place] == nil else { continue }
            let blocks = Blocks(place)
            for response in Response.allCases { blocks.blocks[response.place] = ResponderBlock() }
            places[place] = blocks
        }
        let asked = places.keys.flatMap { place in Response.allCases.map { (place: place, response: $0) } }
        try db.statement(
            """
            SELECT q.message, q.response, q.block, r.bits
            FROM unnest(?1, ?2, ?3) q (message, response, block) CROSS JOIN LATERAL (
                SELECT bits FROM message_responders
                WHERE message = q.message AND response = q.response AND block = q.block
            ) r
            """
        ).forEach(
            IntegerList(asked.map { Int64($0.place.message.rawValue) }), IntegerList(asked.map(\.response.rawValue)),
            IntegerList(asked.map(\.place.block))
        ) { row in
            guard let response = Response(rawValue: row.integer(1)) else { return true }
            let place = BlockKey(message: try row.id(0), block: row.integer(2))
            places[place]?.blocks[response.place] = ResponderBlock(bytes: row.bytes(3))
            return true
        }
    }

    /// Makes the recipient count as having done at most this.
    mutating func keep(_ responses: ResponseSet, of recipient: Int64, to message: MessageID) throws {
        try add(responses, of: recipient, to: message, onlyForgetting: true)
    }

    /// Makes the recipient count as having done exactly this.
    mutating func add(
        _ responses: ResponseSet, of recipient: Int64, to message: MessageID, onlyForgetting: Bool = false
    ) throws {
        let blocks = blocks(at: BlockKey(message: message, block: ResponderBlock.number(of: recipient)))
        for response in Response.allCases {
            let responded = responses.contains(response)
            if onlyForgetting, responded { continue }
            if try read(response, blocks)[recipient] != responded {
                blocks.blocks[response.place]?[recipient] = responded
                blocks.changed.insert(response)
            }
        }
    }

    private mutating func blocks(at place: BlockKey) -> Blocks {
        if let last, last.place == place { return last }
        let blocks = places[place] ?? Blocks(place)
        places[place] = blocks
        last = blocks
        return blocks
    }

    private func read(_ response: Response, _ blocks: Blocks) throws -> ResponderBlock {
        if let known = blocks.blocks[response.place] { return known }
        let stored = try find.first(blocks.place.message, response.rawValue, blocks.place.block) {
            ResponderBlock(bytes: $0.bytes(0))
        }
        let block = stored ?? ResponderBlock()
        blocks.blocks[response.place] = block
        return block
    }

    func finish() throws {
        for (place, blocks) in places {
            for response in Response.allCases where blocks.changed.contains(response) {
                guard let block = blocks.blocks[response.place] else { continue }
                try put.add(place.message, response.rawValue, place.block, block.bytes)
            }
        }
        try put.finish()
    }
}

extension Response {
    fileprivate var place: Int { Int(rawValue) - 1 }
}
