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

    private let find: SQLStatement
    private let put: SQLStatement
    private var blocks: [Place: ResponderBlock] = [:]
    private var changed: Set<Place> = []

    init(_ db: any SQLConnection) throws {
        find = try db.statement("SELECT bits FROM message_responders WHERE message = ? AND response = ? AND block = ?")
        put = try db.statement(
            """
            INSERT INTO message_responders (message, response, block, bits) VALUES (?, ?, ?, ?)
            ON CONFLICT (message, response, block) DO UPDATE SET bits = excluded.bits
            """
        )
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
            try put.run(place.message, place.response.rawValue, place.block, block.bytes)
        }
    }
}
