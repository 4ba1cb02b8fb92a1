import Identifiers
import Interactions
import SQL

/// What one recipient did with one message, as it is stored: the first interactions, up to the bound, in the order of
/// storing.
struct StoredActivity: Sendable {
    /// Without the recipient. Empty if the rows are not needed any more (``init(fullOf:)``).
    private(set) var rows: [MessageActivity.Row] = []
    /// The kinds of the rows.
    private(set) var kinds = InteractionKindSet()
    /// At most the number that is judged.
    private(set) var count = 0

    init() {}

    /// A full history with these kinds.
    init(fullOf kinds: InteractionKindSet) {
        self.kinds = kinds
        count = PersonHistory.judged
    }

    /// Whether as many interactions are stored as are judged.
    var isFull: Bool { count >= PersonHistory.judged }

    /// An unreadable row is left to the check of the ledger; here it must not keep other interactions from being
    /// stored.
    mutating func add(_ row: SQLRow, from column: Int32) throws {
        count += 1
        guard let row = try row.ifReadable({ try MessageActivity.Row(row, from: column, of: nil) }) else { return }
        rows.append(row)
        kinds.insert(row.kind)
    }
}

/// What one recipient did with one message, for counting.
struct PersonHistory {
    /// The greatest number of interactions of one recipient with one message that are judged: whether they make the
    /// recipient a clicker or an opener, and which are a scanner's. The rest count only in totals, like those of an
    /// erased recipient. Without a bound, a program that follows one link without end would make each click cost more
    /// than the one before.
    static let judged = 32

    static let findJudged = """
        SELECT kind, occurred_at, link, visitor FROM interactions INDEXED BY interactions_of_person
        WHERE message = ? AND recipient = ? ORDER BY position LIMIT ?
        """

    private var activity: JudgedActivity
    /// Whether as many interactions are stored as are judged. Then none is read, because their counts do not change any
    /// more.
    private let isFull: Bool
    private let madeAt: Timestamp
    /// The counts of the interactions that are not judged.
    private var beyond = ActivityCounts()

    /// - Parameter rows: the interactions that are counted already; at most as many as are judged.
    init(_ rows: [MessageActivity.Row] = [], madeAt: Timestamp) {
        activity = JudgedActivity(rows, madeAt: madeAt)
        self.madeAt = madeAt
        isFull = false
    }

    /// The history that counting later interactions needs.
    /// - Parameter reference: the reference of the recipient; the rows need not have it.
    init(after stored: StoredActivity, of reference: RecipientReference, madeAt: Timestamp) {
        activity = JudgedActivity(stored.isFull ? [] : stored.rows.map { $0.named(reference) }, madeAt: madeAt)
        self.madeAt = madeAt
        isFull = stored.isFull
    }

    /// Reads the stored interactions, up to the bound.
    init(
        of recipient: Int64, named reference: RecipientReference, _ message: MessageID, madeAt: Timestamp,
        _ db: any SQLConnection
    ) throws {
        let stored = try Self.stored(of: recipient, message, by: db.statement(Self.findJudged))
        self.init(stored.rows.map { $0.named(reference) }, madeAt: madeAt)
    }

    /// Reads what a recipient did with a message. The index contains all columns that are read.
    /// - Parameter find: ``findJudged``.
    static func stored(of recipient: Int64, _ message: MessageID, by find: SQLStatement) throws -> StoredActivity {
        var stored = StoredActivity()
        try find.forEach(message, recipient, judged) { row in
            try stored.add(row, from: 0)
            return true
        }
        return stored
    }

    /// The stored activities of many recipients, for engines with lists. A recipient who did nothing is left out.
    /// - Parameter ids: the range that contains the interactions' ids. A table that is partitioned by ids is only
    ///   searched there.
    static func stored(
        of people: some Collection<ActivityCounting.Person>, ids: ClosedRange<Int64>, _ db: any SQLConnection
    ) throws -> [ActivityCounting.Person: StoredActivity] {
        let people = Array(people)
        var stored: [ActivityCounting.Person: StoredActivity] = [:]
        try db.statement(
            """
            SELECT q.number, i.kind, i.occurred_at, i.link, i.visitor
            FROM unnest(?1, ?2) WITH ORDINALITY q (message, recipient, number) CROSS JOIN LATERAL (
                SELECT kind, occurred_at, link, visitor, position FROM interactions
                WHERE message = q.message AND recipient = q.recipient AND id BETWEEN ?4 AND ?5
                ORDER BY position LIMIT ?3
            ) i ORDER BY q.number, i.position
            """
        ).forEach(
            IntegerList(people.map { Int64($0.message.rawValue) }), IntegerList(people.map(\.recipient)), judged,
            ids.lowerBound, ids.upperBound
        ) { row in
            try stored[people[Int(row.integer(0)) - 1], default: StoredActivity()].add(row, from: 1)
            return true
        }
        return stored
    }

    mutating func add(_ row: MessageActivity.Row) {
        if !isFull, activity.count < Self.judged {
            activity.add(row)
        } else {
            var counted = MessageActivity(counts: beyond, madeAt: madeAt)
            counted.addOfNobody(row)
            beyond = counted.counts
        }
    }

    /// Must be called after the last row was added.
    mutating func finish() { activity.finish() }

    /// The counts of the added interactions, as a difference to the counts before. Complete after ``finish()``.
    var difference: ActivityChanges {
        var difference = activity.difference
        difference += beyond
        return difference
    }

    /// What the recipient did, according to the judged interactions.
    var responses: ResponseSet {
        var responses = ResponseSet()
        if activity.isClicker { responses.insert(.clicked) }
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
        let kind = try InteractionKind(code: row.integer(column))
        guard let link = UInt16(exactly: row.integer(column + 2)),
            let visitor = UInt8(exactly: row.integer(column + 3)).flatMap(Visitor.init(rawValue:))
        else { throw .unreadable }
        self.init(
            recipient: recipient, kind: kind, occurredAt: row.timestamp(column + 1), link: LinkIndex(rawValue: link),
            visitor: visitor.class)
    }

    func named(_ recipient: RecipientReference?) -> Self {
        Self(recipient: recipient, kind: kind, occurredAt: occurredAt, link: link, visitor: visitor)
    }
}
