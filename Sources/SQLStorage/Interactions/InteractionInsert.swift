import Identifiers
import Interactions
import SQL

/// Stores occurrences, inside a write.
struct InteractionInsert {
    private let now: Timestamp
    private let writing: WriteContext
    private let insert: RowInsert
    private let findStored: SQLStatement
    private let findGreatest: SQLStatement
    private let findRecipient: SQLStatement
    /// The owners of the messages met so far; there are few in a batch.
    private var owners: [MessageID: MessageOwner?] = [:]
    private var organizations: [Int64: ForgettingState?] = [:]
    /// How many were stored of each organization.
    private var stored: [Int64: Int] = [:]
    private var counting: ActivityCounting
    /// What was looked up for all of a batch, where the engine can.
    private var known: KnownOfBatch?
    /// Recipients that were found before this write.
    private let found: [RecipientReference: FoundReferences.Recipient]
    private let full: FullHistories
    /// The greatest id that is stored, once it was asked for. A spool's ids grow, so most need not be looked for.
    private var greatestStored: Int64?
    private var firsts: FirstInteractions
    /// What is counted once the rows are sent: the engine stores them meanwhile.
    private var uncounted: [(occurrence: Occurrence, recipient: Int64?, madeAt: Timestamp)] = []

    /// - Parameter found: recipients that were found before this write, whether or not they are still there.
    init(
        at now: Timestamp, found: [RecipientReference: FoundReferences.Recipient], full: FullHistories,
        _ writing: WriteContext
    ) throws {
        self.now = now
        self.found = found
        self.full = full
        self.writing = writing
        let db = writing.db
        counting = ActivityCounting(db)
        firsts = try FirstInteractions(db)
        insert = try db.rows(
            """
            INSERT INTO interactions (
                id, organization, message, recipient, kind, source, link, is_automated, occurred_at, recorded_at,
                action, is_first, volume, position, visitor
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        )
        findStored = try db.statement("SELECT 1 FROM interactions WHERE id = ?")
        findGreatest = try db.statement("SELECT id FROM interactions ORDER BY id DESC LIMIT 1")
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
            known = try KnownOfBatch(spooled, found: found, full: full, writing.db)
        }
        for (message, owner) in known.owners { owners[message] = owner }
        counting.stored = known.histories
        try firsts.prefetch(
            spooled.compactMap { spooled in
                let kind = spooled.occurrence.kind
                guard let person = known.person(spooled), let stored = known.histories[person], stored.isFull,
                    !stored.kinds.contains(kind)
                else { return nil }
                return (person, kind)
            })
        self.known = known
    }

    mutating func add(_ spooled: SpooledOccurrence) throws {
        let occurrence = spooled.occurrence
        guard let owner = try owner(of: occurrence.message), try !isStored(spooled.id),
            try Int64(spooled.id.rawValue) > state(of: owner.organization)?.purged ?? 0
        else { return }
        let organization = owner.organization
        let recipient = try recipient(occurrence.recipient, in: organization)
        uncounted.append((occurrence, recipient, owner.madeAt))
        known?.stored.insert(spooled.id)
        let isFirst = try isFirst(occurrence, of: recipient, in: organization)
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
    private mutating func isFirst(
        _ occurrence: Occurrence, of recipient: Int64?, in organization: Int64
    ) throws -> Bool {
        guard let recipient else { return false }
        let person = ActivityCounting.Person(message: occurrence.message, recipient: recipient)
        return try firsts.add(occurrence.kind, of: person, after: stored(of: person, in: organization))
    }

    /// What somebody has done before this write.
    private mutating func stored(
        of person: ActivityCounting.Person, in organization: Int64
    ) throws -> StoredActivity {
        if let known = counting.stored[person] { return known }
        let state = try state(of: organization)
        if let known = full.stored(of: person, asOf: state) {
            counting.stored[person] = known
            return known
        }
        let read = try counting.stored(of: person)
        full.note(read, of: person, asOf: state)
        return read
    }

    private mutating func isStored(_ id: InteractionID) throws -> Bool {
        if let known { return known.stored.contains(id) }
        let number = Int64(id.rawValue)
        let greatest = try greatestStored ?? findGreatest.first { $0.integer(0) } ?? -1
        greatestStored = max(greatest, number)
        return try number <= greatest && findStored.first(id) { _ in true } ?? false
    }

    private mutating func recipient(_ reference: RecipientReference, in organization: Int64) throws -> Int64? {
        if let known { return known.recipient(reference, in: organization) }
        if let before = found[reference], before.organization == organization,
            before.erasures == (try state(of: organization)?.erasures)
        {
            return before.number
        }
        return try findRecipient.first(reference, organization) { $0.integer(0) }
    }

    private mutating func state(of organization: Int64) throws -> ForgettingState? {
        if let known { return known.organizations[organization] }
        if let read = organizations[organization] { return read }
        let state = try ForgettingState.find(organization, writing.db)
        organizations[organization] = .some(state)
        return state
    }

    private mutating func owner(of message: MessageID) throws -> MessageOwner? {
        if let known = owners[message] { return known }
        let owner = try MessageOwner.find(message, writing.db)
        owners[message] = .some(owner)
        return owner
    }
}
