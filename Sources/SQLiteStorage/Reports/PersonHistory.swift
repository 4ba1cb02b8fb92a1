import GRDB
import Identifiers
import Interactions
import SQLiteFiles

/// What one recipient did with one message, as counting needs it.
struct PersonHistory {
    /// So many interactions of one recipient with one message are judged: who they make a clicker or an opener, and what
    /// is a scanner's. The rest count in totals, as those of an erased person do. Without a bound, a program that
    /// follows one link without end would make each click dearer than the one before.
    static let judged = 32

    private(set) var rows: [MessageActivity.Row]
    /// Whether so many are stored as are judged: then none is read, for what they count changes no more.
    private let isFull: Bool
    private let madeAt: Timestamp
    /// What those count that are not judged.
    private(set) var beyond: ActivityCounts

    init(_ rows: [MessageActivity.Row] = [], madeAt: Timestamp) {
        self.rows = rows
        self.madeAt = madeAt
        isFull = false
        beyond = ActivityCounts()
    }

    private init(fullSince madeAt: Timestamp) {
        rows = []
        self.madeAt = madeAt
        isFull = true
        beyond = ActivityCounts()
    }

    /// What is stored, up to the bound, in the order of storing. A row that cannot be read is the ledger check's to find;
    /// here it must not keep the interactions of others from being stored.
    init(
        of recipient: Int64, named reference: RecipientReference, _ message: MessageID, madeAt: Timestamp,
        _ db: Database
    ) throws {
        var rows: [MessageActivity.Row] = []
        try db.statement(
            """
            SELECT kind, occurred_at, link, visitor FROM interactions INDEXED BY interactions_of_person
            WHERE message = ? AND recipient = ? ORDER BY position LIMIT ?
            """
        ).forEach(message, recipient, Self.judged) { row in
            if let row = try? MessageActivity.Row(row, from: 0, of: reference) { rows.append(row) }
            return true
        }
        self.init(rows, madeAt: madeAt)
    }

    /// What is stored, as far as counting what comes later needs it.
    static func beforeMore(
        of recipient: Int64, named reference: RecipientReference, _ message: MessageID, madeAt: Timestamp,
        _ db: Database
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

    mutating func add(_ row: MessageActivity.Row) {
        if !isFull, rows.count < Self.judged {
            rows.append(row)
        } else {
            var activity = MessageActivity(counts: beyond, madeAt: madeAt)
            activity.add(row.ofNobody)
            activity.finish()
            beyond = activity.counts
        }
    }

    /// What the judged rows count.
    var activity: MessageActivity {
        var activity = MessageActivity(madeAt: madeAt)
        for row in rows.count > 1 ? rows.sorted(by: { $0.occurredAt < $1.occurredAt }) : rows { activity.add(row) }
        activity.finish()
        return activity
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
