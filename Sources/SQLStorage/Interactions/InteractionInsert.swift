import Identifiers
import Interactions
import SQL

/// Stores occurrences, inside a write.
struct InteractionInsert {
    private let now: Timestamp
    private let writing: WriteContext
    private let insert: RowInsert
    private let findStored: SQLStatement
    private let noteFirst: SQLStatement
    private let findRecipient: SQLStatement
    /// The owners of the messages met so far; there are few in a batch.
    private var owners: [MessageID: MessageOwner?] = [:]
    /// Up to which id retention has deleted, of each organization.
    private var purged: [Int64: Int64] = [:]
    /// How many were stored of each organization.
    private var stored: [Int64: Int] = [:]
    private var counting: ActivityCounting
    /// What was looked up for all of a batch, where the engine can.
    private var known: KnownOfBatch?
    private var firsts: FirstInteractions?
    /// What is counted once the rows are sent: the engine stores them meanwhile.
    private var uncounted: [(occurrence: Occurrence, recipient: Int64?, madeAt: Timestamp)] = []

    init(at now: Timestamp, _ writing: WriteContext) throws {
        self.now = now
        self.writing = writing
        let db = writing.db
        counting = ActivityCounting(db)
        insert = try db.rows(
            """
            INSERT INTO interactions (
                id, organization, message, recipient, kind, source, link, is_automated, occurred_at, recorded_at,
                action, is_first, volume, position, visitor
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        findStored = try db.statement("SELECT 1 FROM interactions WHERE id = ?")
        noteFirst = try db.statement(
            """
            INSERT INTO first_interactions (recipient, message, kind) VALUES (?, ?, ?) ON CONFLICT DO NOTHING
            """
        )
        findRecipient = try db.statement(
            """
            SELECT number FROM recipients
            WHERE reference = ? AND organization = ? AND identifier IS NOT NULL
            """
        )
    }

    /// Looks up at once, where the engine can, what adding each of them asks for.
    /// - Parameter before: what was looked up before this write; it is used if it still holds.
    mutating func prefetch(_ spooled: [SpooledOccurrence], knownBefore before: KnownOfBatch?) throws {
        guard writing.db.dialect.hasLists, spooled.count > 1 else { return }
        var known: KnownOfBatch
        if var before, try before.isCurrent(writing.db) {
            known = before
        } else {
            known = try KnownOfBatch(spooled, writing.db)
        }
        for (message, owner) in known.owners { owners[message] = owner }
        let acts = spooled.compactMap { spooled in
            known.person(spooled).map { FirstInteractions.Act(person: $0, kind: spooled.occurrence.kind.code) }
        }
        firsts = try FirstInteractions(Set(acts), writing.db)
        counting.prefetched = known.histories
        self.known = known
    }

    mutating func add(_ spooled: SpooledOccurrence) throws {
        let occurrence = spooled.occurrence
        guard let owner = try owner(of: occurrence.message), try !isStored(spooled.id),
            try Int64(spooled.id.rawValue) > greatestPurged(owner.organization)
        else { return }
        let organization = owner.organization
        let recipient = try recipient(occurrence.recipient, in: organization)
        if counting.needsNothing(of: recipient, occurrence.message) {
            uncounted.append((occurrence, recipient, owner.madeAt))
        } else {
            try counting.add(occurrence, of: recipient, madeAt: owner.madeAt)
        }
        known?.stored.insert(spooled.id)
        let isFirst = try isFirst(occurrence, of: recipient)
        try insert.add(
            spooled.id,
            organization,
            occurrence.message,
            recipient,
            occurrence.kind.code,
            occurrence.source.code,
            occurrence.link.rawValue,
            occurrence.visitor.isAutomated,
            occurrence.occurredAt,
            now,
            occurrence.action?.text,
            isFirst,
            writing.nextVolume(of: .interactions),
            writing.nextPosition(at: now),
            occurrence.visitor.rawValue
        )
        stored[organization, default: 0] += 1
    }

    /// Stores what was added, and counts it.
    mutating func finish() throws {
        try insert.finish()
        for one in uncounted { try counting.add(one.occurrence, of: one.recipient, madeAt: one.madeAt) }
        try counting.finish()
        for (organization, count) in stored { try QuotasRow.addStored(count, of: organization, writing.db) }
    }

    /// Whether it is the first of its kind. For an erased person that is not known, so theirs are not.
    private mutating func isFirst(_ occurrence: Occurrence, of recipient: Int64?) throws -> Bool {
        guard let recipient else { return false }
        if firsts != nil {
            let person = ActivityCounting.Person(message: occurrence.message, recipient: recipient)
            return firsts?.take(.init(person: person, kind: occurrence.kind.code)) ?? false
        }
        return try noteFirst.changes(recipient, occurrence.message, occurrence.kind.code) > 0
    }

    private func isStored(_ id: InteractionID) throws -> Bool {
        if let known { return known.stored.contains(id) }
        return try findStored.first(id) { _ in true } ?? false
    }

    private func recipient(_ reference: RecipientReference, in organization: Int64) throws -> Int64? {
        if let known { return known.recipient(reference, in: organization) }
        return try findRecipient.first(reference, organization) { $0.integer(0) }
    }

    private mutating func greatestPurged(_ organization: Int64) throws -> Int64 {
        if let known = purged[organization] { return known }
        let greatest =
            try known?.greatestPurged(organization)
            ?? RetentionRow.greatestPurgedInteraction(organization, writing.db)
        purged[organization] = greatest
        return greatest
    }

    private mutating func owner(of message: MessageID) throws -> MessageOwner? {
        if let known = owners[message] { return known }
        let owner = try MessageOwner.find(message, writing.db)
        owners[message] = .some(owner)
        return owner
    }
}
