package import Consent
package import Identifiers
import SQL
import StoragePorts

/// Consent records in a database.
package struct SQLConsentStore: ConsentStore {
    let database: any SQLDatabase
    let guarded: GuardedDatabase
    private let hashing: RecipientHashing
    private let asked: RecipientLookupCache
    private let found: FoundReferences
    /// A larger request counts as an import.
    private static let maximumShortWriteCount = 100

    init(
        _ guarded: GuardedDatabase, hashing: RecipientHashing, asked: RecipientLookupCache, found: FoundReferences
    ) {
        database = guarded.database
        self.guarded = guarded
        self.hashing = hashing
        self.asked = asked
        self.found = found
    }

    package func append(
        _ records: [NewConsentRecord],
        in organization: OrganizationID,
        at asked: Timestamp,
        fingerprint: IdempotencyFingerprint?
    ) async throws -> [ConsentRecord] {
        guard let named = try await hashing.people(named: records.map(\.recipient), in: organization) else {
            throw RowError.unknownOrganization
        }
        let load: WriteLoad = records.count > Self.maximumShortWriteCount ? .bulk(rows: records.count) : .short
        return try await guarded.write(to: organization, load: load) { [hashing] writing in
            let now = writing.time(notBefore: asked)
            try RequestRow.requireFree(fingerprint, writing)
            var append = try ConsentAppend(organization: organization, now: now, hashing.hasher, writing)
            try append.prefetch(records, about: named)
            for (record, person) in zip(records, named) { try append.add(record, about: person) }
            try append.finish()
            if let first = append.records.first, let last = append.records.last {
                let effect = RequestEffect(first: first.id.number, last: last.id.number, isNew: true)
                try RequestRow.insert(fingerprint, effect, at: now, writing)
            }
            writing.addChanges(try append.changes(), in: organization)
            return append.records
        }
    }

    package func withdraw(
        _ reference: RecipientReference,
        for purposes: [Purpose],
        alsoOpens: Bool,
        evidence: ConsentEvidence,
        in organization: OrganizationID,
        at now: Timestamp
    ) async throws -> [Withdrawal] {
        try await guarded.write(to: organization) { [hashing] writing in
            let made = try ReferenceWithdrawal.make(
                reference, for: purposes, alsoOpens: alsoOpens, evidence: evidence, in: organization,
                at: writing.time(notBefore: now), hashing.hasher, writing)
            writing.addChanges(made.changes, in: organization)
            return made.outcomes
        }
    }

    package func records(
        from first: ConsentRecordID,
        through last: ConsentRecordID,
        in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try ConsentRecordRow.records(from: first, through: last, organization: row.number, db)
        }
    }

    package func statuses(
        of recipients: [RecipientID],
        for purposes: [Purpose],
        in organization: OrganizationID,
        at instant: Timestamp
    ) async throws -> ConsentStatuses {
        try await statuses(of: recipients, for: purposes, in: organization, at: instant, keepingIn: asked)
    }

    package func statusesForPreview(
        of recipients: [RecipientID],
        for purposes: [Purpose],
        in organization: OrganizationID,
        at instant: Timestamp
    ) async throws -> ConsentStatuses {
        try await statuses(of: recipients, for: purposes, in: organization, at: instant, keepingIn: nil)
    }

    /// - Parameter asked: keeps the results of the look-ups for the decisions that follow.
    private func statuses(
        of recipients: [RecipientID], for purposes: [Purpose], in organization: OrganizationID, at instant: Timestamp,
        keepingIn asked: RecipientLookupCache?
    ) async throws -> ConsentStatuses {
        guard let named = try await hashing.people(named: recipients, in: organization) else {
            throw RowError.unknownOrganization
        }
        return try await guarded.read(of: organization) { db in
            let row = try OrganizationRow.require(organization, db)
            var lookup = try StatusLookup(organization: row.number, purposes: purposes, instant: instant, db)
            var people = named.map { RecipientLookupCache.Person(named: $0) }
            try lookup.prefetch(people)
            var statuses: [ConsentStatus] = []
            statuses.reserveCapacity(people.count * purposes.count)
            for index in people.indices { try lookup.appendStatuses(of: &people[index], to: &statuses) }
            asked?.keep(people, of: recipients, in: organization, asOf: row.epoch)
            let basis = SnapshotBasis(
                epoch: row.epoch,
                lastRecord: try Self.lastRecord(at: instant, db),
                holdsUntil: statuses.lazy.compactMap { $0.end(after: instant) }.min() ?? .distantFuture)
            return ConsentStatuses(statuses: statuses, enforcement: row.enforcement, basis: basis)
        }
    }

    /// The last record that counts at `instant`. A record that was stored after the caller read its clock does not
    /// count yet: the decision log must treat it as a later record and judge by it.
    private static func lastRecord(at instant: Timestamp, _ db: any SQLConnection) throws -> ConsentRecordID? {
        let end = TimeOrderedNumber.lowerBound(at: instant.advanced(byMilliseconds: 1))
        let last = try db.statement("SELECT max(id) FROM consents WHERE id < ?").first(Int64(end)) {
            $0.optionalInteger(0)
        }
        return (last ?? nil).flatMap { ConsentRecordID(rawValue: UInt64(bitPattern: $0)) }
    }

    package func statuses(of questions: [ReferenceQuestion]) async throws -> [ConsentStatus] {
        let answers = try await database.readCurrent { [hashing] db in
            var lookup = try ReferenceStatusLookup(hashing.hasher, db)
            let statuses = try lookup.statuses(of: questions)
            return (statuses: statuses, found: lookup.found, unreadable: lookup.unreadable)
        }
        // A single recipient is quickly found again, and must not replace thousands that are kept.
        if questions.count > 1 { found.keep(answers.found) }
        for (organization, row) in answers.unreadable { await guarded.close(organization, becauseOf: row) }
        return answers.statuses
    }

    /// An id that no node makes is skipped: all records that are stored later would have a lower one.
    package func newestRecord() async throws -> ConsentRecordID? {
        try await database.readCurrent { db in
            try WriteContext.greatestNumber(in: "consents", db).flatMap { ConsentRecordID(rawValue: $0.rawValue) }
        }
    }

    package func recordIDs(
        of recipient: RecipientID, in organization: OrganizationID
    ) async throws -> [ConsentRecordID] {
        try await reading(of: recipient, in: organization) { organization, recipient, db in
            try ConsentRecordRow.ids(organization: organization, recipient: recipient, db)
        }
    }

    package func records(_ ids: [ConsentRecordID], in organization: OrganizationID) async throws -> [ConsentRecord] {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return [] }
            return try ids.compactMap { try ConsentRecordRow.find($0, organization: row.number, db) }
        }
    }

    package func history(
        of recipient: RecipientID,
        after last: ConsentRecord?,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await reading(of: recipient, in: organization) { organization, recipient, db in
            try ConsentRecordRow.history(
                organization: organization, recipient: recipient, after: last, limit: limit, withEvidence: true, db)
        }
    }

    package func historyWithoutEvidence(
        of recipient: RecipientID,
        after last: ConsentRecord?,
        limit: Int,
        in organization: OrganizationID
    ) async throws -> [ConsentRecord] {
        try await reading(of: recipient, in: organization) { organization, recipient, db in
            try ConsentRecordRow.history(
                organization: organization, recipient: recipient, after: last, limit: limit, withEvidence: false, db)
        }
    }

    /// Calls `body` with the numbers of the organization and of the recipient; returns nothing if either is unknown.
    private func reading<Item: Sendable>(
        of recipient: RecipientID, in organization: OrganizationID,
        _ body: @escaping @Sendable (_ organization: Int64, _ recipient: Int64, any SQLConnection) throws -> [Item]
    ) async throws -> [Item] {
        guard let hash = try await hashing.hash(of: recipient, in: organization) else { return [] }
        return try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db),
                let number = try RecipientLookup(db)(hash)?.recipient
            else { return [] }
            return try body(row.number, number, db)
        }
    }

    package func firstName(of recipient: RecipientID, in organization: OrganizationID) async throws -> RecipientID? {
        guard let hash = try await hashing.hash(of: recipient, in: organization) else { return nil }
        return try await guarded.read(of: organization) { db in
            guard let number = try RecipientLookup(db)(hash)?.recipient else { return nil }
            return try db.statement("SELECT identifier FROM recipients WHERE number = ?")
                .first(number) { try $0.recipient(0) } ?? nil
        }
    }

    package func record(_ id: ConsentRecordID, in organization: OrganizationID) async throws -> ConsentRecord? {
        try await guarded.read(of: organization) { db in
            guard let row = try OrganizationRow.find(organization, db) else { return nil }
            return try ConsentRecordRow.find(id, organization: row.number, db)
        }
    }

    package func organization(of record: ConsentRecordID) async throws -> OrganizationID? {
        try await database.read { db in try ConsentRecordRow.organization(of: record, db) }
    }

    /// If it throws ``StorageError/busy``, the recipient is erased and the observer knows, but a reader of an old state
    /// kept the files from being cleaned. The caller must then call it again.
    package func erase(
        _ recipient: RecipientID, in organization: OrganizationID, whenDurable: @Sendable (ErasureCounts) -> Void
    ) async throws -> ErasureCounts {
        guard let hash = try await hashing.hash(of: recipient, in: organization) else {
            throw RowError.unknownOrganization
        }
        let erased = try await guarded.write(to: organization) { writing in
            let erased = try RecipientErasure.erase(
                hash, in: organization, at: writing.time(notBefore: .distantPast), writing)
            if let reference = erased.reference { writing.addChange(.erasure(reference, organization)) }
            return erased
        }
        whenDurable(erased.erasure)
        try await database.eraseResiduals()
        return erased.erasure
    }

    package func clearErased() async throws { try await database.tryToEraseResiduals() }
}

extension ConsentStatus {
    /// The time at which the status changes by itself: the end of a consent that was given.
    fileprivate func end(after instant: Timestamp) -> Timestamp? {
        guard case .inForce(let consent) = self, consent.state == .given, let end = consent.validUntil, end > instant
        else { return nil }
        return end
    }
}
