import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// The recipients of several messages, each of them once.
///
/// Goes through the blocks of recipients, and for each through the messages. Memory holds the places of the blocks and
/// one block of the union.
struct DistinctPeople {
    /// The greatest number of blocks that are read. A block takes 5 to 10 µs if its recipients all differ from their
    /// neighbours, so a report takes at most two seconds: ten messages to ten million people each, or a thousand to
    /// 100,000.
    static let maximumBlockCount = 200_000

    /// For some recipients: how many count under each reason or as having responded, over all messages, and what the
    /// same recipients count under each message alone. Each recipient is in one such block of each kind.
    struct Block {
        var people = PerActivity.together([DecisionReason: Int]())
        var responses: [Response: Int] = [:]
        var peopleOfMessages = PerActivity.together([DecisionReason: Int]())
        var responsesOfMessages: [Response: Int] = [:]
    }

    private let reader: BlockReader

    /// Calls `visit` with the counts of each block that has a recipient. All blocks are found before the first is read.
    /// - Parameters:
    ///   - messages: ordered, oldest first.
    ///   - apart: the messages with separate decisions for clicks and opens.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    static func read(
        of messages: [MessageID], apart: Set<MessageID>, maximumBlockCount: Int = maximumBlockCount,
        _ db: any SQLConnection,
        visit: (Block) -> Void
    ) throws {
        let stored = try StoredBlocks(of: messages, apart: apart, most: maximumBlockCount, db)
        let people = DistinctPeople(reader: try BlockReader(db))
        try people.readPeople(stored.clicks) { distinct, ofMessages in
            visit(
                apart.isEmpty
                    ? Block(people: .together(distinct), peopleOfMessages: .together(ofMessages))
                    : Block(
                        people: .apart(clicks: distinct, opens: [:]),
                        peopleOfMessages: .apart(clicks: ofMessages, opens: [:])))
        }
        try people.readPeople(stored.opens) { distinct, ofMessages in
            visit(
                Block(
                    people: .apart(clicks: [:], opens: distinct),
                    peopleOfMessages: .apart(clicks: [:], opens: ofMessages)))
        }
        try people.readResponders(stored.responders, visit: visit)
    }

    /// How many recipients of each block count under each reason, by the decisions about one activity.
    /// - Parameter places: ordered by block; for each block the oldest message first.
    private func readPeople(
        _ places: [StoredBlocks.BlockKey],
        visit: (_ distinct: [DecisionReason: Int], _ ofMessages: [DecisionReason: Int]) -> Void
    ) throws {
        var number = places.first?.block
        var union = PeopleBlock()
        var ofMessages: [DecisionReason: Int] = [:]
        try reader.forEach(places) { place, bytes in
            if place.block != number {
                visit(union.counts, ofMessages)
                (number, union, ofMessages) = (place.block, PeopleBlock(), [:])
            }
            let ofMessage = PeopleBlock(bytes: bytes)
            ofMessages.merge(ofMessage.counts, uniquingKeysWith: +)
            union.formUnion(ofMessage)
        }
        if number != nil { visit(union.counts, ofMessages) }
    }

    /// - Parameter places: ordered by block.
    private func readResponders(_ places: [StoredBlocks.BlockKey], visit: (Block) -> Void) throws {
        var number = places.first?.block
        var unions: [Response: ResponderBlock] = [:]
        var ofMessages: [Response: Int] = [:]
        func finish() {
            // A recipient who opened one message counts as an opener, and no longer as one who may have opened.
            if let opened = unions[.opened] { unions[.mayHaveOpened]?.subtract(opened) }
            visit(Block(responses: unions.mapValues(\.count), responsesOfMessages: ofMessages))
        }
        try reader.forEach(places) { place, bytes in
            guard case .responders(let response) = place.kind else { return }
            if place.block != number {
                finish()
                (number, unions, ofMessages) = (place.block, [:], [:])
            }
            let ofMessage = ResponderBlock(bytes: bytes)
            ofMessages[response, default: 0] += ofMessage.count
            unions[response, default: ResponderBlock()].formUnion(ofMessage)
        }
        if number != nil { finish() }
    }
}
