import Consent
import Identifiers
import Reports
import SQL

/// Counts the people of one message, inside the write that stores decisions about them.
///
/// Reads and writes each block of recipients once for a whole batch.
struct PeopleCounting {
    struct Subject: Hashable {
        let message: MessageID
        /// Whose decisions count. Where a message asks for one purpose, those about both activities count for the clicks,
        /// and none for the opens.
        let activity: TrackedActivity
    }

    private let message: MessageID
    private let find: SQLStatement
    private let put: SQLStatement
    private let addCount: SQLStatement
    private var blocks: [Int64: PeopleBlock] = [:]
    private var changed: Set<Int64> = []
    private var counts: [DecisionReason: Int64] = [:]

    init(of subject: Subject, _ db: any SQLConnection) throws {
        message = subject.message
        let tables = PeopleTables(subject.activity)
        find = try db.statement("SELECT states FROM \(tables.blocks) WHERE message = ? AND block = ?")
        put = try db.statement(
            """
            INSERT INTO \(tables.blocks) (message, block, states) VALUES (?, ?, ?)
            ON CONFLICT (message, block) DO UPDATE SET states = excluded.states
            """
        )
        addCount = try db.statement(
            """
            INSERT INTO \(tables.counts) (message, reason, count) VALUES (?, ?, ?)
            ON CONFLICT (message, reason)
                DO UPDATE SET count = \(KeptCount.bounded("\(tables.counts).count", in: db.dialect)) + excluded.count
            """
        )
    }

    /// One more decision.
    /// - Parameter recipient: `nil` for somebody erased: nothing tells such people apart, so each decision counts as a
    ///   person.
    mutating func add(_ decision: DecisionReason, about recipient: Int64?) throws {
        guard let recipient else {
            counts[decision, default: 0] += 1
            return
        }
        let number = PeopleBlock.number(of: recipient)
        try load(number)
        let before = blocks[number]?[recipient]
        let after = ComposedPerson.reason(after: before, decision)
        guard before != after else { return }
        blocks[number]?[recipient] = after
        changed.insert(number)
        if let before { counts[before, default: 0] -= 1 }
        counts[after, default: 0] += 1
    }

    /// Nothing says any more under which reason the recipient counts; the counts stay.
    mutating func forget(_ recipient: Int64) throws {
        let number = PeopleBlock.number(of: recipient)
        try load(number)
        guard blocks[number]?[recipient] != nil else { return }
        blocks[number]?[recipient] = nil
        changed.insert(number)
    }

    private mutating func load(_ number: Int64) throws {
        guard blocks[number] == nil else { return }
        blocks[number] = try find.first(message, number) { PeopleBlock(bytes: $0.bytes(0)) } ?? PeopleBlock()
    }

    func finish() throws {
        for number in changed.sorted() {
            if let block = blocks[number] { try put.run(message, number, block.bytes) }
        }
        for (reason, count) in counts where count != 0 { try addCount.run(message, reason.code, count) }
    }

    static func counts(of subject: Subject, _ db: any SQLConnection) throws -> [DecisionReason: Int] {
        let table = PeopleTables(subject.activity).counts
        let counts = try db.statement("SELECT reason, count FROM \(table) WHERE message = ? AND count != 0")
            .all(subject.message) { (try DecisionReason(code: $0.integer(0)), KeptCount.read($0.integer(1))) }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}
