import Consent
import GRDB
import Identifiers
import Interactions
import Reports
import SQLiteFiles

/// The recipients of several messages, each of them once.
///
/// Goes through blocks of recipients, and through the messages for each: memory holds one block of the union.
struct DistinctPeople {
    /// How many stored blocks are read at most. Blocks of people take 5 to 10 µs each where nobody is equal to their
    /// neighbours, so a report takes two seconds at most: ten messages to ten million people each, or a thousand to
    /// 100,000.
    static let mostBlocks = 200_000

    /// Of 4,096 recipients: how many count under each reason and as having responded, taken over all messages, and what
    /// the same recipients count under each message alone.
    struct Block {
        var people: [DecisionReason: Int] = [:]
        var responses: [Response: Int] = [:]
        var peopleOfMessages: [DecisionReason: Int] = [:]
        var responsesOfMessages: [Response: Int] = [:]
    }

    private static let peopleBlocks = ResponderBlock.size / PeopleBlock.size

    private let messages: [MessageID]
    private let states: SQLStatement
    private let bits: SQLStatement

    private init(_ messages: [MessageID], _ db: Database) throws {
        self.messages = messages
        states = try db.statement("SELECT states FROM message_people WHERE message = ? AND block = ?")
        bits = try db.statement("SELECT bits FROM message_responders WHERE message = ? AND response = ? AND block = ?")
    }

    /// Calls `visit` with the counts of each block that has somebody. All blocks are counted before one is read.
    /// - Parameter messages: oldest first.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    static func read(
        of messages: [MessageID], mostBlocks: Int = mostBlocks, _ db: Database, visit: (Block) -> Void
    ) throws {
        let people = try DistinctPeople(messages, db)
        let blocks = try blocks(of: messages, mostBlocks: mostBlocks, db)
        for (number, inBlock) in blocks.sorted(by: { $0.key < $1.key }) {
            visit(try people.block(number, of: inBlock))
        }
    }

    /// Which messages have somebody in which block of 4,096 recipients.
    private static func blocks(
        of messages: [MessageID], mostBlocks: Int, _ db: Database
    ) throws -> [Int64: [MessageID]] {
        let ofPeople = try db.statement("SELECT block FROM message_people WHERE message = ? LIMIT ?")
        let ofResponders = try db.statement(
            "SELECT block FROM message_responders WHERE message = ? AND response = ? LIMIT ?")
        var left = mostBlocks
        func counted(_ blocks: [Int64]) throws -> [Int64] {
            left -= blocks.count
            guard left >= 0 else { throw ReportSelectionError.tooManyPeople }
            return blocks
        }
        var found: [Int64: [MessageID]] = [:]
        for message in messages {
            var blocks = Set(try counted(ofPeople.all(message, left + 1) { $0.integer(0) }).map { $0 / peopleBlocks })
            for response in Response.allCases {
                blocks.formUnion(
                    try counted(ofResponders.all(message, response.rawValue, left + 1) { $0.integer(0) }))
            }
            // No recipient has a number beyond these.
            for block in blocks where (0...Int64.max / ResponderBlock.size).contains(block) {
                found[block, default: []].append(message)
            }
        }
        return found
    }

    private func block(_ number: Int64, of messages: [MessageID]) throws -> Block {
        var block = Block()
        for part in 0..<Self.peopleBlocks {
            try addPeople(of: messages, in: number * Self.peopleBlocks + part, to: &block)
        }
        var responders: [Response: ResponderBlock] = [:]
        for response in Response.allCases {
            var union = ResponderBlock()
            for message in messages {
                guard let stored = try bits.first(message, response.rawValue, number, read: { $0.bytes(0) }) else {
                    continue
                }
                let ofMessage = ResponderBlock(bytes: stored)
                block.responsesOfMessages[response, default: 0] += ofMessage.count
                union.formUnion(ofMessage)
            }
            responders[response] = union
        }
        // Who opened one message counts as an opener, and no longer among those of whom it cannot be told.
        if let opened = responders[.opened] { responders[.mayHaveOpened]?.subtract(opened) }
        block.responses = responders.mapValues(\.count)
        return block
    }

    private func addPeople(of messages: [MessageID], in number: Int64, to block: inout Block) throws {
        var union = PeopleBlock()
        for message in messages {
            guard let stored = try states.first(message, number, read: { $0.bytes(0) }) else { continue }
            let ofMessage = PeopleBlock(bytes: stored)
            block.peopleOfMessages.merge(ofMessage.counts, uniquingKeysWith: +)
            union.formUnion(ofMessage)
        }
        block.people.merge(union.counts, uniquingKeysWith: +)
    }
}
