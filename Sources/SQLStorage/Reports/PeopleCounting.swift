import Consent
import Identifiers
import Reports
import SQL

/// Counts the people of one message, inside the write that stores decisions about them.
///
/// Reads and writes each block of recipients once for a whole batch. An engine with lists gets one query for many
/// recipients, because recipients who come in another order than the one in which they were entered are in many blocks.
struct PeopleCounting {
    struct Subject: Hashable {
        let message: MessageID
        /// The activity of the decisions that count. If a message asks for one purpose, decisions about both activities
        /// count for the clicks, and none for the opens.
        let activity: TrackedActivity
    }

    /// The greatest number of recipients that are collected before their blocks are read.
    private static let maximumPendingCount = 10_000

    private let message: MessageID
    private let find: SQLStatement
    private let put: RowInsert
    private let addCount: SQLStatement
    private var blocks: [Int64: PeopleBlock] = [:]
    private var changed: Set<Int64> = []
    private var counts: [DecisionReason: Int64] = [:]
    /// Recipients to count once their blocks are read: with a decision about them, or `nil` for one to forget.
    private var pending: [(recipient: Int64, decision: DecisionReason?)] = []
    private let findAll: SQLStatement?

    init(of subject: Subject, _ db: any SQLConnection) throws {
        message = subject.message
        let tables = PeopleTables(subject.activity)
        find = try db.statement("SELECT states FROM \(tables.blocks) WHERE message = ? AND block = ?")
        findAll =
            try !db.dialect.hasLists
            ? nil
            : db.statement(
                """
                SELECT q.block, p.states
                FROM unnest(?1, ?2) q (message, block) CROSS JOIN LATERAL (
                    SELECT states FROM \(tables.blocks) WHERE message = q.message AND block = q.block
                ) p
                """
            )
        put = try db.rows(
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

    /// Counts one more decision.
    /// - Parameter recipient: `nil` for an erased recipient. They cannot be told apart, so each decision counts as one
    ///   recipient.
    mutating func add(_ decision: DecisionReason, about recipient: Int64?) throws {
        guard let recipient else {
            counts[decision, default: 0] += 1
            return
        }
        try note(recipient, decision)
    }

    /// Forgets under which reason the recipient counts; the counts stay.
    mutating func forget(_ recipient: Int64) throws { try note(recipient, nil) }

    private mutating func note(_ recipient: Int64, _ decision: DecisionReason?) throws {
        guard let findAll else {
            let number = PeopleBlock.number(of: recipient)
            if blocks[number] == nil {
                blocks[number] = try find.first(message, number) { PeopleBlock(bytes: $0.bytes(0)) } ?? PeopleBlock()
            }
            return apply(recipient, decision)
        }
        pending.append((recipient, decision))
        if pending.count >= Self.maximumPendingCount { try applyPending(findAll) }
    }

    private mutating func applyPending(_ findAll: SQLStatement) throws {
        let numbers = Set(pending.lazy.map { PeopleBlock.number(of: $0.recipient) })
        let missing = numbers.filter { blocks[$0] == nil }
        if !missing.isEmpty {
            for number in missing { blocks[number] = PeopleBlock() }
            let messages = [Int64](repeating: Int64(message.rawValue), count: missing.count)
            try findAll.forEach(IntegerList(messages), IntegerList(Array(missing))) { row in
                blocks[row.integer(0)] = PeopleBlock(bytes: row.bytes(1))
                return true
            }
        }
        for (recipient, decision) in pending { apply(recipient, decision) }
        pending.removeAll(keepingCapacity: true)
    }

    /// The block of `recipient` must have been read.
    private mutating func apply(_ recipient: Int64, _ decision: DecisionReason?) {
        let number = PeopleBlock.number(of: recipient)
        let before = blocks[number]?[recipient]
        let after = decision.map { ComposedPerson.reason(after: before, $0) }
        guard before != after else { return }
        blocks[number]?[recipient] = after
        changed.insert(number)
        // A recipient who is forgotten stays counted.
        guard let after else { return }
        if let before { counts[before, default: 0] -= 1 }
        counts[after, default: 0] += 1
    }

    /// Writes the changes. Nothing may be added after that.
    mutating func finish() throws {
        if let findAll { try applyPending(findAll) }
        for number in changed.sorted() {
            if let block = blocks[number] { try put.add(message, number, block.bytes) }
        }
        try put.finish()
        for (reason, count) in counts where count != 0 { try addCount.run(message, reason.code, count) }
    }

    static func counts(of subject: Subject, _ db: any SQLConnection) throws -> [DecisionReason: Int] {
        let table = PeopleTables(subject.activity).counts
        let counts = try db.statement("SELECT reason, count FROM \(table) WHERE message = ? AND count != 0")
            .all(subject.message) { (try DecisionReason(code: $0.integer(0)), KeptCount.read($0.integer(1))) }
        // A damaged table may have a row twice.
        return Dictionary(counts) { first, _ in first }
    }

    /// The counts of several messages by reason, for each activity.
    /// - Parameter listed: must contain each of them.
    static func counts(
        of messages: [MessageID], _ listed: [MessageID: ListedMessage], _ db: any SQLConnection
    ) throws -> [MessageID: PerActivity<[DecisionReason: Int]>] {
        func counts(_ messages: [MessageID], _ activity: TrackedActivity) throws -> [MessageID: [DecisionReason: Int]] {
            try db.countsByReason(of: messages, in: PeopleTables(activity).counts, "AND count != 0")
        }
        let apart = messages.filter { listed[$0]?.purposes.areApart == true }
        let (clicks, opens) = (try counts(messages, .clicks), try counts(apart, .opens))
        var people: [MessageID: PerActivity<[DecisionReason: Int]>] = [:]
        for message in messages { people[message] = .together(clicks[message] ?? [:]) }
        for message in apart { people[message] = .apart(clicks: clicks[message] ?? [:], opens: opens[message] ?? [:]) }
        return people
    }
}
