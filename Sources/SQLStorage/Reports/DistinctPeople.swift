import Consent
import Identifiers
import Interactions
import Reports
import SQL

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
        var people = PerActivity.together([DecisionReason: Int]())
        var responses: [Response: Int] = [:]
        var peopleOfMessages = PerActivity.together([DecisionReason: Int]())
        var responsesOfMessages: [Response: Int] = [:]
    }

    private static let peopleBlocks = ResponderBlock.size / PeopleBlock.size

    /// Those that were decided for clicks and opens apart.
    private let apart: Set<MessageID>
    private let states: SQLStatement
    private let opensStates: SQLStatement
    private let bits: SQLStatement

    private init(apart: Set<MessageID>, _ db: any SQLConnection) throws {
        self.apart = apart
        func statement(_ activity: TrackedActivity) throws -> SQLStatement {
            try db.statement("SELECT states FROM \(PeopleTables(activity).blocks) WHERE message = ? AND block = ?")
        }
        (states, opensStates) = (try statement(.clicks), try statement(.opens))
        bits = try db.statement("SELECT bits FROM message_responders WHERE message = ? AND response = ? AND block = ?")
    }

    /// Calls `visit` with the counts of each block that has somebody. All blocks are counted before one is read.
    /// - Parameters:
    ///   - messages: oldest first.
    ///   - apart: those of them that were decided for clicks and opens apart.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    static func read(
        of messages: [MessageID], apart: Set<MessageID>, mostBlocks: Int = mostBlocks, _ db: any SQLConnection,
        visit: (Block) -> Void
    ) throws {
        let people = try DistinctPeople(apart: apart, db)
        let blocks = try blocks(of: messages, reading: apart.isEmpty ? 1 : 2, mostBlocks: mostBlocks, db)
        for (number, inBlock) in blocks.sorted(by: { $0.key < $1.key }) {
            visit(try people.block(number, of: inBlock))
        }
    }

    /// Which messages have somebody in which block of 4,096 recipients.
    /// - Parameter times: how often a block of people is read: once for each activity.
    private static func blocks(
        of messages: [MessageID], reading times: Int, mostBlocks: Int, _ db: any SQLConnection
    ) throws -> [Int64: [MessageID]] {
        let ofPeople = try db.statement("SELECT block FROM message_people WHERE message = ? LIMIT ?")
        let ofResponders = try db.statement(
            "SELECT block FROM message_responders WHERE message = ? AND response = ? LIMIT ?")
        var left = mostBlocks
        func counted(_ blocks: [Int64], times: Int = 1) throws -> [Int64] {
            left -= blocks.count * times
            guard left >= 0 else { throw ReportSelectionError.tooManyPeople }
            return blocks
        }
        var found: [Int64: [MessageID]] = [:]
        for message in messages {
            var blocks = Set(
                try counted(ofPeople.all(message, left + 1) { $0.integer(0) }, times: times).map { $0 / peopleBlocks })
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
        let clicks = try people(.clicks, of: messages, in: number)
        if apart.isEmpty {
            (block.people, block.peopleOfMessages) = (.together(clicks.distinct), .together(clicks.ofMessages))
        } else {
            let opens = try people(.opens, of: messages, in: number)
            block.people = .apart(clicks: clicks.distinct, opens: opens.distinct)
            block.peopleOfMessages = .apart(clicks: clicks.ofMessages, opens: opens.ofMessages)
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

    private typealias People = (distinct: [DecisionReason: Int], ofMessages: [DecisionReason: Int])

    /// How many people of a block count under each reason by their decisions about an activity.
    private func people(
        _ activity: TrackedActivity, of messages: [MessageID], in number: Int64
    ) throws -> People {
        var people: People = ([:], [:])
        for part in 0..<Self.peopleBlocks {
            var union = PeopleBlock()
            for message in messages {
                let statement = activity == .opens && apart.contains(message) ? opensStates : states
                let place = number * Self.peopleBlocks + part
                guard let stored = try statement.first(message, place, read: { $0.bytes(0) }) else { continue }
                let ofMessage = PeopleBlock(bytes: stored)
                people.ofMessages.merge(ofMessage.counts, uniquingKeysWith: +)
                union.formUnion(ofMessage)
            }
            people.distinct.merge(union.counts, uniquingKeysWith: +)
        }
        return people
    }
}
