import Consent
import Identifiers
import SQL

/// Finds the consent record in force: one or two steps in the index, however long the history.
///
/// `ends_tracking` only puts the records in order. The state decides, because the ledger has an entry for it.
struct InForceLookup {
    /// A recipient, a purpose and a time for which the record in force is looked up.
    struct Question: Hashable {
        let organization: Int64
        let recipient: Int64
        let purpose: Int64
        let instant: Timestamp
    }

    private let db: any SQLConnection
    private let statement: SQLStatement
    /// The answers of ``prefetch(_:)``; a value of `nil` means that there is no record.
    private var prefetched: [Question: ConsentInForce?] = [:]

    init(_ db: any SQLConnection) throws {
        self.db = db
        // The order is that of ConsentInForce.outranks.
        statement = try db.statement(
            """
            SELECT id, state, occurred_at, valid_until FROM consents INDEXED BY consents_in_force
            WHERE organization = ? AND recipient = ? AND purpose = ? AND occurred_at <= ?
            ORDER BY occurred_at DESC, ends_tracking DESC, id DESC
            """
        )
    }

    /// Looks up all of them with one query, if the engine has lists. Does not see what is written after that.
    mutating func prefetch(_ questions: [Question]) throws {
        guard db.dialect.hasLists, questions.count > 1 else { return }
        var found = [ConsentInForce?](repeating: nil, count: questions.count)
        /// The questions that the single look-up answers.
        var single: Set<Int> = []
        try db.statement(
            """
            SELECT q.number, c.id, c.state, c.occurred_at, c.valid_until
            FROM unnest(?1, ?2, ?3, ?4) WITH ORDINALITY q (organization, recipient, purpose, instant, number)
            CROSS JOIN LATERAL (
                SELECT id, state, occurred_at, valid_until FROM consents
                WHERE organization = q.organization AND recipient = q.recipient AND purpose = q.purpose
                    AND occurred_at <= q.instant
                ORDER BY occurred_at DESC, ends_tracking DESC, id DESC LIMIT 2
            ) c
            """
        ).forEach(
            IntegerList(questions.map(\.organization)), IntegerList(questions.map(\.recipient)),
            IntegerList(questions.map(\.purpose)), IntegerList(questions.map(\.instant.millisecondsSince1970))
        ) { row in
            let index = Int(row.integer(0)) - 1
            let next: ConsentInForce
            do {
                next = try ConsentRecordRow.inForce(row, id: 1, state: 2, occurredAt: 3, validUntil: 4)
            } catch RowError.unreadable {
                // The single look-up names the row, if it has to read it.
                single.insert(index)
                return true
            }
            guard let known = found[index] else {
                found[index] = next
                return true
            }
            if next.occurredAt == known.occurredAt { single.insert(index) }
            if next.occurredAt > known.occurredAt { found[index] = next }
            return true
        }
        prefetched.reserveCapacity(prefetched.count + questions.count)
        // If several records have the same instant, the single look-up decides, because it reads all of them.
        for (index, question) in questions.enumerated() where !single.contains(index) {
            prefetched[question] = .some(found[index])
        }
    }

    func callAsFunction(
        organization: Int64,
        recipient: Int64,
        purpose: Int64,
        at instant: Timestamp
    ) throws -> ConsentInForce? {
        if !prefetched.isEmpty {
            let question = Question(
                organization: organization, recipient: recipient, purpose: purpose, instant: instant)
            if let record = prefetched[question] { return record }
        }
        var best: ConsentInForce?
        try statement.forEach(organization, recipient, purpose, instant) { row in
            let next = try ConsentRecordRow.inForce(row, id: 0, state: 1, occurredAt: 2, validUntil: 3)
            guard let found = best else {
                best = next
                // At the same instant, only a later record that ends tracking outranks one that ends tracking.
                return !next.state.endsTracking
            }
            guard next.occurredAt == found.occurredAt else { return false }
            if next.outranks(found) { best = next }
            return true
        }
        return best
    }
}
