import Consent
import Identifiers
import Reports
import SQL

/// Counts consent records, inside the write that stores them.
///
/// What a new record changes depends on the record in force at its beginning and on the next record. Both are read from
/// an index, so a record takes two steps, however long the history is.
struct ConsentCounting {
    private struct Person: Hashable {
        let recipient: Int64
        let purpose: Int64
    }

    private let db: any SQLConnection
    private let organization: Int64
    private var people: [Person: [ConsentRecord]] = [:]

    init(organization: Int64, _ db: any SQLConnection) {
        self.organization = organization
        self.db = db
    }

    mutating func add(_ record: ConsentRecord, about recipient: Int64, for purpose: Int64) {
        people[Person(recipient: recipient, purpose: purpose), default: []].append(record)
    }

    /// Must be called before any of the records is stored.
    mutating func finish() throws {
        var neighbours = try self.neighbours()
        var batch = ConsentCountBatch()
        for (person, records) in people {
            let subject = ConsentCountBatch.Subject(organization: organization, purpose: person.purpose)
            for record in records {
                batch.addRecord(
                    record.state, at: record.occurredAt, record.evidence, about: person.recipient, of: subject)
            }
            let known = neighbours.removeValue(forKey: person) ?? []
            batch.change(subject) { $0.add(records.map(\.inForce), between: known) }
        }
        try batch.store(db)
    }

    /// For each new record, the record in force at its beginning, and the next one. An unreadable row is left to the
    /// check of the ledger; it must not keep a withdrawal from being recorded.
    private func neighbours() throws -> [Person: Set<ConsentInForce>] {
        let questions = people.flatMap { person, records in
            Set(records.map(\.occurredAt)).map { (person: person, instant: $0) }
        }
        guard db.dialect.hasLists else {
            var found: [Person: Set<ConsentInForce>] = [:]
            for question in questions {
                try neighbours(of: question.person, at: question.instant) {
                    found[question.person, default: []].insert($0)
                }
            }
            return found
        }
        return try neighbours(of: questions)
    }

    private func neighbours(
        of person: Person, at instant: Timestamp, _ visit: (ConsentInForce) -> Void
    ) throws {
        for (comparison, order) in [("<=", "DESC"), (">", "ASC")] {
            let found = try db.statement(
                """
                SELECT id, state, occurred_at, valid_until FROM consents INDEXED BY consents_in_force
                WHERE organization = ? AND recipient = ? AND purpose = ? AND occurred_at \(comparison) ?
                ORDER BY occurred_at \(order), ends_tracking \(order), id \(order) LIMIT 1
                """
            ).first(organization, person.recipient, person.purpose, instant) {
                try? ConsentRecordRow.inForce($0, id: 0, state: 1, occurredAt: 2, validUntil: 3)
            }
            if let found, let record = found { visit(record) }
        }
    }

    private func neighbours(
        of questions: [(person: Person, instant: Timestamp)]
    ) throws -> [Person: Set<ConsentInForce>] {
        func side(_ comparison: String, _ order: String) -> String {
            """
            (SELECT id, state, occurred_at, valid_until FROM consents
                WHERE organization = q.organization AND recipient = q.recipient AND purpose = q.purpose
                    AND occurred_at \(comparison) q.instant
                ORDER BY occurred_at \(order), ends_tracking \(order), id \(order) LIMIT 1)
            """
        }
        var found: [Person: Set<ConsentInForce>] = [:]
        try db.statement(
            """
            SELECT q.recipient, q.purpose, c.id, c.state, c.occurred_at, c.valid_until
            FROM unnest(?1, ?2, ?3, ?4) q (organization, recipient, purpose, instant) CROSS JOIN LATERAL (
                \(side("<=", "DESC")) UNION ALL \(side(">", "ASC"))
            ) c
            """
        ).forEach(
            IntegerList(questions.map { _ in organization }), IntegerList(questions.map(\.person.recipient)),
            IntegerList(questions.map(\.person.purpose)),
            IntegerList(questions.map(\.instant.millisecondsSince1970))
        ) { row in
            let person = Person(recipient: row.integer(0), purpose: row.integer(1))
            if let record = try? ConsentRecordRow.inForce(row, id: 2, state: 3, occurredAt: 4, validUntil: 5) {
                found[person, default: []].insert(record)
            }
            return true
        }
        return found
    }
}
