import Identifiers
import Interactions
import SQL

/// What one recipient did with one message, as counting needs it.
struct PersonHistory {
    /// So many interactions of one recipient with one message are judged: who they make a clicker or an opener, and what
    /// is a scanner's. The rest count in totals, as those of an erased person do. Without a bound, a program that
    /// follows one link without end would make each click dearer than the one before.
    static let judged = 32

    static let findJudged = """
        SELECT kind, occurred_at, link, visitor FROM interactions INDEXED BY interactions_of_person
        WHERE message = ? AND recipient = ? ORDER BY position LIMIT ?
        """

    private var activity: JudgedActivity
    /// Whether so many are stored as are judged: then none is read, for what they count changes no more.
    private let isFull: Bool
    private let madeAt: Timestamp
    /// What those count that are not judged.
    private var beyond = ActivityCounts()

    /// - Parameter rows: those that are counted already; no more than are judged.
    init(_ rows: [MessageActivity.Row] = [], madeAt: Timestamp) {
        activity = JudgedActivity(rows, madeAt: madeAt)
        self.madeAt = madeAt
        isFull = false
    }

    private init(fullSince madeAt: Timestamp) {
        activity = JudgedActivity(madeAt: madeAt)
        self.madeAt = madeAt
        isFull = true
    }

    /// What is stored, up to the bound, in the order of storing. The index has all that is read. A row that cannot be
    /// read is the ledger check's to find; here it must not keep the interactions of others from being stored.
    init(
        of recipient: Int64, named reference: RecipientReference, _ message: MessageID, madeAt: Timestamp,
        _ db: any SQLConnection
    ) throws {
        var rows: [MessageActivity.Row] = []
        try db.statement(Self.findJudged).forEach(message, recipient, Self.judged) { row in
            if let row = try? MessageActivity.Row(row, from: 0, of: reference) { rows.append(row) }
            return true
        }
        self.init(rows, madeAt: madeAt)
    }

    /// What is stored, as far as counting what comes later needs it.
    static func beforeMore(
        of recipient: Int64, named reference: RecipientReference, _ message: MessageID, madeAt: Timestamp,
        _ db: any SQLConnection
    ) throws -> PersonHistory {
        // Read from the index alone.
        let last = try db.statement(
            """
            SELECT 1 FROM interactions INDEXED BY interactions_of_person
            WHERE message = ? AND recipient = ? ORDER BY position LIMIT 1 OFFSET ?
            """
        ).first(message, recipient, Self.judged - 1) { _ in true }
        guard last == nil else { return PersonHistory(fullSince: madeAt) }
        return try PersonHistory(of: recipient, named: reference, message, madeAt: madeAt, db)
    }

    /// The same of what was read already.
    /// - Parameter rows: the first ones that are stored, in the order of storing, up to the bound.
    static func beforeMore(_ rows: [MessageActivity.Row], madeAt: Timestamp) -> PersonHistory {
        rows.count < judged ? PersonHistory(rows, madeAt: madeAt) : PersonHistory(fullSince: madeAt)
    }

    /// Reads what people did with messages, each up to the bound and in the order of storing. For engines that have lists.
    static func forEachJudged(
        of people: [(message: MessageID, recipient: Int64)], _ db: any SQLConnection,
        visit: (MessageID, Int64, MessageActivity.Row) -> Void
    ) throws {
        try db.statement(
            """
            SELECT q.message, q.recipient, i.kind, i.occurred_at, i.link, i.visitor
            FROM unnest(?1, ?2) q (message, recipient) CROSS JOIN LATERAL (
                SELECT kind, occurred_at, link, visitor, position FROM interactions
                WHERE message = q.message AND recipient = q.recipient
                ORDER BY position LIMIT ?3
            ) i ORDER BY q.message, q.recipient, i.position
            """
        ).forEach(
            IntegerList(people.map { Int64($0.message.rawValue) }), IntegerList(people.map(\.recipient)), judged
        ) { row in
            guard let done = try? MessageActivity.Row(row, from: 2, of: nil) else { return true }
            visit(try row.id(0), row.integer(1), done)
            return true
        }
    }

    mutating func add(_ row: MessageActivity.Row) {
        if !isFull, activity.count < Self.judged {
            activity.add(row)
        } else {
            var counted = MessageActivity(counts: beyond, madeAt: madeAt)
            counted.add(row.ofNobody)
            counted.finish()
            beyond = counted.counts
        }
    }

    /// Must be called once every row was added.
    mutating func finish() { activity.finish() }

    /// What those count that were added, as a difference to what was counted before. Complete once ``finish()`` was
    /// called.
    var difference: ActivityCounts {
        var difference = activity.difference
        difference += beyond
        return difference
    }

    /// What the judged interactions say that the recipient did.
    var responses: Set<Response> {
        var responses: Set<Response> = activity.isClicker ? [.clicked] : []
        switch activity.openClass {
        case .person: responses.insert(.opened)
        case .cannotTell: responses.insert(.mayHaveOpened)
        case .machine, nil: break
        }
        return responses
    }
}

extension MessageActivity.Row {
    /// Kind, time, link and visitor, from `column` on.
    init(_ row: SQLRow, from column: Int32, of recipient: RecipientReference?) throws(StorageError) {
        guard let kind = UInt8(exactly: row.integer(column)).flatMap(InteractionKind.init(code:)),
            let link = UInt16(exactly: row.integer(column + 2)),
            let visitor = UInt8(exactly: row.integer(column + 3)).flatMap(Visitor.init(rawValue:))
        else { throw .unreadable }
        self.init(
            recipient: recipient, kind: kind, occurredAt: row.timestamp(column + 1), link: LinkIndex(rawValue: link),
            visitor: visitor.class)
    }

    /// The same, done by nobody in particular.
    var ofNobody: Self {
        Self(recipient: nil, kind: kind, occurredAt: occurredAt, link: link, visitor: visitor)
    }
}
