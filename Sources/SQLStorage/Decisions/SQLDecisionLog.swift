package import Consent
import Cryptography
package import Identifiers
import SQL
import StoragePorts

/// Decisions in a database.
package struct SQLDecisionLog: DecisionLog {
    private let guarded: GuardedDatabase
    private let hashing: RecipientHashing
    private let asked: RecipientLookupCache

    init(
        _ guarded: GuardedDatabase, hashing: RecipientHashing, asked: RecipientLookupCache
    ) {
        self.guarded = guarded
        self.hashing = hashing
        self.asked = asked
    }

    package func append(
        _ decisions: [Decision],
        of message: MessageID,
        in organization: OrganizationID,
        asOf basis: SnapshotBasis,
        at considered: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> [RecordedDecision] {
        let known: [RecipientLookupCache.Person]
        if let kept = asked.take(for: decisions, in: organization, asOf: basis.epoch) {
            known = kept
        } else if let named = try await hashing.people(named: decisions.map(\.recipient), in: organization) {
            known = named.map { RecipientLookupCache.Person(named: $0) }
        } else {
            throw RowError.unknownOrganization
        }
        return try await guarded.write(to: organization, load: .bulk(rows: decisions.count)) { writing in
            let now = writing.time(notBefore: considered)
            try RequestRow.requireFree(fingerprint, writing)
            var append = try DecisionAppend(
                message: message,
                organization: organization,
                basis: basis,
                now: now,
                writing
            )
            try append.prefetch(known)
            for (decision, person) in zip(decisions, known) { try append.add(decision, person) }
            try append.finish()
            if let first = append.recorded.first, let last = append.recorded.last {
                let effect = RequestEffect(first: first.id.number, last: last.id.number, isNew: true)
                try RequestRow.insert(fingerprint, effect, at: now, writing)
            }
            writing.addChanges(append.changes, in: organization)
            return append.recorded
        }
    }

    package func decisions(
        from first: DecisionID,
        through last: DecisionID,
        in organization: OrganizationID
    ) async throws -> [RecordedDecision] {
        // Payloads are made from these decisions, and no recipient is tracked while the ledger is closed.
        try guarded.ledgers.requireWhole(organization)
        return try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try DecisionRow.recorded(from: first, through: last, organization: row.number, db)
        }
    }

    package func decisions(
        matching query: DecisionQuery,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [DecisionEntry] {
        var hash: HMACSHA256.Tag?
        if let recipient = query.recipient { hash = try await hashing.hash(of: recipient, in: organization) }
        return try await guarded.read(of: organization) { [hash] db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            let search = DecisionSearch(query, organization: row.number, limit: limit)
            return try DecisionRow.find(search.ids(person: hash, db), organization: row.number, db)
        }
    }

    package func decision(_ id: DecisionID, in organization: OrganizationID) async throws -> DecisionEntry? {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try DecisionRow.find(Int64(id.rawValue), organization: row.number, db)
        }
    }

    package func decisions(_ ids: [DecisionID], in organization: OrganizationID) async throws -> [DecisionEntry] {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try DecisionRow.find(ids.map { Int64($0.rawValue) }, organization: row.number, db)
        }
    }
}
