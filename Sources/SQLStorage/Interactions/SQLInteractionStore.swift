import Cryptography
package import Identifiers
package import Interactions
import SQL

/// Interactions in a database.
///
/// They are read in the order of their positions, which is the order in which they were stored: the transaction that
/// stores an interaction makes its position, and only one transaction writes at a time.
package struct SQLInteractionStore: InteractionStore {
    private let guarded: GuardedDatabase
    private let hashing: RecipientHashing
    private let found: FoundReferences
    private let full = FullHistories()

    init(_ guarded: GuardedDatabase, hashing: RecipientHashing, found: FoundReferences) {
        self.guarded = guarded
        self.hashing = hashing
        self.found = found
    }

    private var database: any SQLDatabase { guarded.database }

    /// If several processes write, all of them wait for one batch. A large batch writes a page of an index once for
    /// several of its rows.
    package var maximumBatchSize: Int { database.hasSeveralWriters ? 4_000 : 24_000 }

    /// If no other process can write, looking up values before the write gains nothing. The recipients that were found
    /// when the occurrences were judged are freed together with these.
    package func prepare(
        _ occurrences: [SpooledOccurrence], judgedAsOf newest: ConsentRecordID?
    ) async throws -> PreparedOccurrences {
        guard database.hasSeveralWriters, occurrences.count > 1 else {
            let known = occurrences.count > 1 ? found.take() : nil
            return PreparedOccurrences(occurrences, judgedAsOf: newest, known: known)
        }
        // A server that was replaced may show commits that were never acknowledged.
        let known = try await remembering {
            try await database.readCurrent { db in try KnownOfBatch(occurrences, found: found.kept, full: full, db) }
        }
        return PreparedOccurrences(occurrences, judgedAsOf: newest, known: known)
    }

    /// Skips an occurrence about an unknown message. An occurrence of a recipient who was erased meanwhile is stored
    /// without the recipient, as if it had been stored before the erasure.
    package func store(_ prepared: PreparedOccurrences, at now: Timestamp) async throws -> [SpooledOccurrence] {
        let (occurrences, known) = (prepared.occurrences, prepared.known as? KnownOfBatch)
        let foundBefore = prepared.known as? FoundReferences.Kept
        guard !occurrences.isEmpty else { return [] }
        return try await remembering {
            try await database.write(load: .bulk(rows: occurrences.count)) { writing in
                let outdated = try Self.recipients(recordedAfter: prepared.newestRecord, writing.db)
                let lookup = try OccurrenceLookup(
                    occurrences, found: foundBefore ?? found.kept, full: full, knownBefore: known, writing.db)
                return try InteractionInsert.store(occurrences, lookup, butNotOf: outdated, at: now, writing)
            }
        }
    }

    /// The recipients with a consent record that the judgement did not know. They are few and at the end of the table.
    /// Behind them are ids that no node makes: no judgement is newer than they are, so they do not count.
    private static func recipients(
        recordedAfter newest: ConsentRecordID?, _ db: any SQLConnection
    ) throws -> Set<Int64> {
        Set(
            try db.statement(
                "SELECT recipient FROM consents NOT INDEXED WHERE id > ? AND id < ? AND recipient IS NOT NULL"
            ).all(Int64(newest?.rawValue ?? 0), Int64(TimeOrderedNumber.endOfMade)) { $0.integer(0) })
    }

    /// Removes the remembered values when the database fails, because it may come back with an earlier state.
    ///
    /// - Throws: `UnreadableMessage`: the ledger of the message's organization is then closed, so that its occurrences
    ///   are set aside when the batch is judged again.
    private func remembering<Answer: Sendable>(_ body: () async throws -> Answer) async throws -> Answer {
        do {
            return try await guarded.run(onMessages: body)
        } catch {
            full.removeAll()
            throw error
        }
    }

    package func count(in organization: OrganizationID) async throws -> Int {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return 0 }
            return try QuotasRow.stored(of: number, db)
        }
    }

    package func reports(since instant: Timestamp) async throws -> [Occurrence] {
        try await database.read { db in try InteractionRow.reports(since: instant, db) }
    }

    package func interactions(
        matching query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> [Interaction] {
        try await guarded.run(organization) {
            try await find(query, limit: limit, isFollowed: false, in: organization).interactions
        }
    }

    package func following(
        _ query: InteractionQuery, limit: Int, in organization: OrganizationID
    ) async throws -> FollowedInteractions {
        try await guarded.run(organization) {
            try await find(query, limit: limit, isFollowed: true, in: organization)
        }
    }

    /// If a question reads more rows than this, its reader continues behind them. So the snapshot must then be current
    /// on a server, which costs as much as the question itself.
    private static let fewRows = 512

    /// Takes several snapshots if many rows do not fit. Interactions that are stored meanwhile come after all others.
    /// What follows the first snapshot is a long read: a question may pass over every row of an organization.
    private func find(
        _ query: InteractionQuery, limit: Int, isFollowed: Bool, in organization: OrganizationID
    ) async throws -> FollowedInteractions {
        var hash: HMACSHA256.Tag?
        if let recipient = query.recipient { hash = try await hashing.hash(of: recipient, in: organization) }
        var found: [Interaction] = []
        var start: Int64?
        while true {
            let length = start == nil ? ReadingLength.short : .long(owner: organization.hashValue)
            let (isFeed, isLater) = (query.after != nil, start != nil)
            let part = try await database.readCurrent(
                length, unless: { !(isFeed && !$0.interactions.isEmpty || isFollowed && $0.passedMany(isLater)) }
            ) { [hash, start, limit = limit - found.count] db in
                try read(query, person: hash, limit: limit, from: start, in: organization, db)
            }
            found += part.interactions
            guard let next = part.next else {
                let isCurrent = !database.hasSeveralWriters || part.passedMany(isLater)
                let passed = found.isEmpty && isFollowed && isCurrent ? part.last : nil
                return FollowedInteractions(interactions: found, passed: passed.map(InteractionFeedCursor.position))
            }
            start = next
            try Task.checkCancellation()
        }
    }

    /// What one snapshot shows.
    private struct Part: Sendable {
        var interactions: [Interaction] = []
        var next: Int64?
        var passed = 0
        var last: InteractionPosition?

        /// - Parameter isLater: whether it is not the first of its question.
        func passedMany(_ isLater: Bool) -> Bool { isLater || next != nil || passed > fewRows }
    }

    package func isKnown(_ cursor: InteractionFeedCursor, in organization: OrganizationID) async throws -> Bool {
        // A server that was replaced may not know yet what the reader got from its successor.
        try await database.readCurrent(unless: { $0 }) { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return false }
            return try InteractionRow.isKnown(cursor, in: number, db)
        }
    }

    private func read(
        _ query: InteractionQuery, person: HMACSHA256.Tag?, limit: Int, from start: Int64?,
        in organization: OrganizationID, _ db: any SQLConnection
    ) throws -> Part {
        guard let row = try OrganizationRow.find(organization, db) else { return Part() }
        let search = InteractionSearch(query, organization: row.number, limit: limit)
        let reading = try search.read(person: person, from: start, db)
        let last = reading.last.flatMap { TimeOrderedNumber(rawValue: UInt64(bitPattern: $0)) }
        return Part(
            interactions: try InteractionRow.find(reading.ids, db), next: reading.next, passed: reading.passed,
            last: last.map(InteractionPosition.init))
    }
}
