import Consent
import Identifiers
import Interactions
package import SQL

/// Counts the decisions and interactions that are older than the tables of counts, in steps that can be interrupted.
/// No other code may write meanwhile.
package enum ReportFilling {
    static let decisionsAtOnce = 50_000
    /// Most messages have few interactions, and each step ends with a commit.
    private static let messagesAtOnce = 200

    /// Counts some of the remaining rows, inside a write that does nothing else.
    /// - Returns: whether more may remain. Costs one look-up if everything is counted.
    package static func step(_ db: any SQLConnection) throws -> Bool {
        try step(db, decisionsAtOnce: decisionsAtOnce)
    }

    static func step(_ db: any SQLConnection, decisionsAtOnce: Int) throws -> Bool {
        guard let place = try place(db) else { return false }
        if try fillPeople(after: place.decision, limit: decisionsAtOnce, db) { return true }
        var last: MessageID? = nil
        for _ in 0..<messagesAtOnce {
            guard let filled = try fillActivity(after: last.map { Int64($0.rawValue) } ?? place.message, db) else {
                try db.statement("DELETE FROM report_filling").run()
                return false
            }
            last = filled
        }
        return true
    }

    private static func place(_ db: any SQLConnection) throws -> (decision: Int64, message: Int64)? {
        try db.statement("SELECT decision, message FROM report_filling").first { ($0.integer(0), $0.integer(1)) }
    }

    /// Counts some decisions, in the order in which they were made.
    /// - Returns: whether there were any.
    private static func fillPeople(after last: Int64, limit: Int, _ db: any SQLConnection) throws -> Bool {
        var newest: Int64?
        var people: [PeopleCounting.Subject: PeopleCounting] = [:]
        try db.statement(
            "SELECT id, message, recipient, reason, activity FROM decisions WHERE id > ? ORDER BY id LIMIT ?"
        ).forEach(last, limit) { row in
            newest = row.integer(0)
            // An unreadable value is left to the check of the ledger; it must not keep the database from being opened.
            let decision = try row.ifReadable {
                (
                    subject: PeopleCounting.Subject(message: try row.id(1), activity: try counted(row.integer(4))),
                    recipient: row.optionalInteger(2), reason: try DecisionReason(code: row.integer(3))
                )
            }
            guard let (subject, recipient, reason) = decision else { return true }
            if people[subject] == nil { people[subject] = try PeopleCounting(of: subject, db) }
            try people[subject]?.add(reason, about: recipient)
            return true
        }
        for subject in people.keys { try people[subject]?.finish() }
        guard let newest else { return false }
        try db.statement("UPDATE report_filling SET decision = ?").run(newest)
        return true
    }

    /// The activity for which a decision counts.
    /// - Throws: `StorageError.unreadable` for a number that no activity has.
    private static func counted(_ code: Int64) throws -> TrackedActivity {
        code == 0 ? .clicks : try TrackedActivity(code: code)
    }

    /// Counts the interactions with the message after `last`.
    /// - Returns: the message; `nil` if none was left.
    private static func fillActivity(after last: Int64, _ db: any SQLConnection) throws -> MessageID? {
        let next = try db.statement(
            """
            SELECT m.id, m.created_at, m.id <= o.interactions_purged
            FROM messages m JOIN organizations o ON o.number = m.organization WHERE m.id > ? ORDER BY m.id LIMIT 1
            """
        ).first(last) { row in
            let id: MessageID = try row.id(0)
            return (id: id, madeAt: try row.ifReadable { row.timestamp(1) }, isPartial: row.bool(2))
        }
        guard let next else { return nil }
        // Without the time of the message, it cannot be told which interactions are a machine's.
        if let madeAt = next.madeAt { try fillActivity(of: next.id, madeAt: madeAt, isPartial: next.isPartial, db) }
        try db.statement("UPDATE report_filling SET message = ?").run(next.id)
        return next.id
    }

    private static func fillActivity(
        of message: MessageID, madeAt: Timestamp, isPartial: Bool, _ db: any SQLConnection
    ) throws {
        var counts = try activityOfNobody(message, madeAt: madeAt, db)
        if isPartial {
            // Interactions up to a later id were deleted, and it is no longer known how many and whose.
            try DeletedInteractions.insert([message], at: madeAt, db)
            counts[.uncounted] = ActivityTally(total: 1)
        }
        var responders = try ResponderTable(db)
        try forEachPerson(of: message, madeAt: madeAt, db) { recipient, history in
            counts += history.difference
            let responses = history.responses
            if !responses.isEmpty { try responders.add(responses, of: recipient, to: message) }
        }
        try responders.finish()
        try ActivityTable.add([message: counts], db)
    }

    private static func activityOfNobody(
        _ message: MessageID, madeAt: Timestamp, _ db: any SQLConnection
    ) throws -> ActivityCounts {
        var activity = MessageActivity(madeAt: madeAt)
        let find = try db.statement(
            """
            SELECT kind, occurred_at, link, visitor FROM interactions INDEXED BY interactions_by_message
            WHERE message = ? AND kind = ? AND recipient IS NULL
            """
        )
        for kind in InteractionKind.allCases {
            try find.forEach(message, kind.code) { row in
                let done = try row.ifReadable { try MessageActivity.Row(row, from: 0, of: nil) }
                if let done { activity.addOfNobody(done) }
                return true
            }
        }
        return activity.counts
    }

    private static func forEachPerson(
        of message: MessageID, madeAt: Timestamp, _ db: any SQLConnection, visit: (Int64, PersonHistory) throws -> Void
    ) throws {
        var person: (recipient: Int64, history: PersonHistory)?
        func visitLast() throws {
            guard var last = person else { return }
            last.history.finish()
            try visit(last.recipient, last.history)
            person = nil
        }
        try db.statement(
            """
            SELECT i.recipient, r.reference, i.kind, i.occurred_at, i.link, i.visitor
            FROM interactions i INDEXED BY interactions_of_person JOIN recipients r ON r.number = i.recipient
            WHERE i.message = ? AND i.recipient IS NOT NULL ORDER BY i.recipient, i.position
            """
        ).forEach(message) { row in
            let recipient = row.integer(0)
            let done = try row.ifReadable { try MessageActivity.Row(row, from: 2, of: try row.reference(1)) }
            guard let done else { return true }
            if person?.recipient != recipient { try visitLast() }
            if person == nil { person = (recipient, PersonHistory(madeAt: madeAt)) }
            person?.history.add(done)
            return true
        }
        try visitLast()
    }
}
