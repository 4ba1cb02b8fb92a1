package import Consent
import GRDB
package import Identifiers
import Organizations

/// Consent records in the main file.
package struct SQLiteConsentStore: ConsentStore {
    private let database: SQLiteDatabase
    private let observer: any ConsentObserver
    private let people: PersonHasher
    private let asked: AskedPeople
    private let clock: @Sendable () -> Timestamp

    init(
        _ database: SQLiteDatabase, observer: any ConsentObserver, people: PersonHasher, asked: AskedPeople,
        clock: @escaping @Sendable () -> Timestamp
    ) {
        self.database = database
        self.observer = observer
        self.people = people
        self.asked = asked
        self.clock = clock
    }

    package func append(
        _ records: [NewConsentRecord],
        in organization: OrganizationID,
        at now: Timestamp,
        once mark: RequestMark?
    ) async throws -> [ConsentRecord] {
        let hashes = try people.hashes(of: records.lazy.map(\.recipient), in: organization)
        let appended = try await database.write { writing in
            try RequestRow.requireFree(mark, at: now, writing)
            var append = try ConsentAppend(organization: organization, now: now, writing)
            for (record, hash) in zip(records, hashes) { try append.add(record, hash) }
            try append.finish()
            if let first = append.records.first, let last = append.records.last {
                let effect = RequestEffect(first: first.id.number, last: last.id.number, isNew: true)
                try RequestRow.insert(mark, effect, at: now, writing)
            }
            return AppendedConsents(records: append.records, changes: try append.changes())
        } afterCommit: { [observer] appended in
            if !appended.changes.isEmpty { observer.consentChanged(appended.changes, in: organization) }
        }
        return appended.records
    }

    package func withdraw(
        _ reference: RecipientReference,
        for purpose: Purpose,
        evidence: ConsentEvidence,
        in organization: OrganizationID,
        at now: Timestamp
    ) async throws -> Withdrawal {
        let question = ReferenceQuestion(reference: reference, purpose: purpose, moment: now)
        let made = try await database.write { [people] writing in
            try ReferenceWithdrawal.make(question, evidence: evidence, in: organization, people, writing)
        } afterCommit: { [observer] made in
            if !made.changes.isEmpty { observer.consentChanged(made.changes, in: organization) }
        }
        return made.outcome
    }

    package func records(
        from first: ConsentRecordID,
        through last: ConsentRecordID,
        in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try ConsentRecordRow.records(from: first, through: last, organization: row.number, db)
        }
    }

    package func standings(
        of recipients: [RecipientID],
        for purpose: Purpose,
        in organization: OrganizationID,
        at moment: Timestamp
    ) async throws -> ConsentStandings {
        let hashes = try people.hashes(of: recipients, in: organization)
        return try await database.read { [asked] db in
            let row = try OrganizationRow.require(organization, db)
            let lookup = try StandingLookup(organization: row.number, purpose: purpose, moment: moment, db)
            var people = hashes.map { AskedPeople.Person(hash: $0) }
            let standings = try people.indices.map { try lookup.standing(hashes[$0], &people[$0]) }
            asked.keep(people, of: recipients, in: organization, asOf: row.erasures)
            return ConsentStandings(standings: standings, erasures: row.erasures)
        }
    }

    package func standings(of questions: [ReferenceQuestion]) async throws -> [ConsentStanding] {
        try await database.read { [people] db in
            let lookup = try ReferenceStandingLookup(people, db)
            return try questions.map(lookup.standing)
        }
    }

    package func history(of recipient: RecipientID, in organization: OrganizationID) async throws -> [ConsentRecord] {
        let hash = try people.hash(of: recipient, in: organization)
        return try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db),
                let number = try PersonLookup(db)(hash)?.recipient
            else { return [] }
            return try ConsentRecordRow.history(organization: row.number, recipient: number, db)
        }
    }

    package func history(
        of recipient: RecipientID,
        after last: ConsentRecord?,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        let hash = try people.hash(of: recipient, in: organization)
        return try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db),
                let number = try PersonLookup(db)(hash)?.recipient
            else { return [] }
            return try ConsentRecordRow.history(
                organization: row.number, recipient: number, after: last, limit: limit, db)
        }
    }

    package func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord? {
        try await database.read { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try ConsentRecordRow.find(id, organization: row.number, db)
        }
    }

    /// Can be asked again when it throws ``StorageError/busy``: then the person is erased already and the observer told,
    /// but somebody who reads an old state keeps the files from being cleaned.
    package func erase(_ recipient: RecipientID, in organization: OrganizationID) async throws -> Erasure {
        let hash = try people.hash(of: recipient, in: organization)
        let now = clock()
        let erased = try await database.write { writing in
            try RecipientErasure.erase(hash, in: organization, at: now, writing)
        } afterCommit: { [observer] erased in
            if let reference = erased.reference { observer.recipientErased(reference, in: organization) }
        }
        try await database.scrub()
        return erased.erasure
    }
}

private struct AppendedConsents: Sendable {
    let records: [ConsentRecord]
    let changes: [ConsentChange]
}
