package import Consent
import GRDB
package import Identifiers
import Organizations

/// Decisions in the main file.
package struct SQLiteDecisionLog: DecisionLog {
    private let database: SQLiteDatabase
    private let observer: any ConsentObserver
    private let people: PersonHasher
    private let asked: AskedPeople

    init(_ database: SQLiteDatabase, observer: any ConsentObserver, people: PersonHasher, asked: AskedPeople) {
        self.database = database
        self.observer = observer
        self.people = people
        self.asked = asked
    }

    package func append(
        _ decisions: [Decision],
        of message: MessageID,
        enforcement: Enforcement,
        in organization: OrganizationID,
        asOf erasures: ErasureCount,
        at now: Timestamp,
        once mark: RequestMark?
    ) async throws -> [RecordedDecision] {
        let known =
            try asked.take(for: decisions, in: organization, asOf: erasures)
            ?? people.hashes(of: decisions.lazy.map(\.recipient), in: organization).map { AskedPeople.Person(hash: $0) }
        let appended = try await database.write { writing in
            try RequestRow.requireFree(mark, at: now, writing)
            var append = try DecisionAppend(
                message: message,
                enforcement: enforcement,
                organization: organization,
                erasures: erasures,
                now: now,
                writing
            )
            for (decision, person) in zip(decisions, known) { try append.add(decision, person) }
            try append.finish()
            if let first = append.recorded.first, let last = append.recorded.last {
                let effect = RequestEffect(first: first.id.number, last: last.id.number, isNew: true)
                try RequestRow.insert(mark, effect, at: now, writing)
            }
            return AppendedDecisions(decisions: append.recorded, changes: try append.changes())
        } afterCommit: { [observer] appended in
            if !appended.changes.isEmpty { observer.consentChanged(appended.changes, in: organization) }
        }
        return appended.decisions
    }

    package func decisions(
        from first: DecisionID,
        through last: DecisionID,
        in organization: OrganizationID
    ) async throws -> [RecordedDecision] {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try DecisionRow.recorded(from: first, through: last, organization: row.number, db)
        }
    }

    package func decisions(
        matching query: DecisionQuery,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [DecisionEntry] {
        let hash = try query.recipient.map { try people.hash(of: $0, in: organization) }
        return try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            let search = DecisionSearch(query, organization: row.number, limit: limit)
            return try search.ids(person: hash, db).compactMap { id in
                try DecisionRow.find(id, organization: row.number, db)
            }
        }
    }

    package func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry? {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try DecisionRow.find(Int64(id.rawValue), organization: row.number, db)
        }
    }

    package func counts(
        of message: MessageID,
        in organization: OrganizationID
    ) async throws -> [DecisionReason: Int] {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db),
                try MessageOwner.find(message, db)?.organization == row.number
            else { return [:] }
            let counts = try db.statement("SELECT reason, count FROM decision_counts WHERE message = ?")
                .all(message) { row in
                    (try DecisionReason(code: row.integer(0)), Int(row.integer(1)))
                }
            return Dictionary(uniqueKeysWithValues: counts)
        }
    }
}

private struct AppendedDecisions: Sendable {
    let decisions: [RecordedDecision]
    let changes: [ConsentChange]
}
