import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// The recipients of several messages, each of them once.
///
/// Goes through blocks of recipients, and through the messages for each: memory holds the places of the blocks, and one
/// block of the union.
struct DistinctPeople {
    /// How many blocks are looked up at most. One takes 5 to 10 µs where nobody is equal to their neighbours, so a report
    /// takes two seconds at most: ten messages to ten million people each, or a thousand to 100,000.
    static let mostBlocks = 200_000

    /// Of some recipients: how many count under each reason or as having responded, taken over all messages, and what
    /// the same recipients count under each message alone. Each recipient is in one such block of each kind.
    struct Block {
        var people = PerActivity.together([DecisionReason: Int]())
        var responses: [Response: Int] = [:]
        var peopleOfMessages = PerActivity.together([DecisionReason: Int]())
        var responsesOfMessages: [Response: Int] = [:]
    }

    private let reader: BlockReader

    /// Calls `visit` with the counts of each block that has somebody. All blocks are found before one is read.
    /// - Parameters:
    ///   - messages: oldest first.
    ///   - apart: those of them that were decided for clicks and opens apart.
    /// - Throws: `ReportSelectionError.tooManyPeople`
    static func read(
        of messages: [MessageID], apart: Set<MessageID>, mostBlocks: Int = mostBlocks, _ db: any SQLConnection,
        visit: (Block) -> Void
    ) throws {
        let stored = try StoredBlocks(of: messages, apart: apart, most: mostBlocks, db)
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

    /// How many people of each block count under each reason by their decisions about one activity.
    /// - Parameter places: by block, and of each block the oldest message first.
    private func readPeople(
        _ places: [StoredBlocks.Place],
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

    /// - Parameter places: by block.
    private func readResponders(_ places: [StoredBlocks.Place], visit: (Block) -> Void) throws {
        var number = places.first?.block
        var unions: [Response: ResponderBlock] = [:]
        var ofMessages: [Response: Int] = [:]
        func finish() {
            // Who opened one message counts as an opener, and no longer among those of whom it cannot be told.
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
