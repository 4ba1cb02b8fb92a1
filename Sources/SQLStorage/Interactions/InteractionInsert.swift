import Identifiers
import Interactions
import SQL

/// Stores occurrences, inside a write.
struct InteractionInsert {
    private struct KnownRecipient {
        let person: ActivityCounting.Person
        /// What the person has done before this write.
        let history: StoredActivity
    }

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
    private let found: FoundReferences
    /// Of the batch, where the engine looks nothing up for all of it.
    private var foundOfBatch: [RecipientReference: FoundReferences.Recipient] = [:]
    private let full: FullHistories
    private let outdatedRecipients: Set<Int64>
    /// Those that were not stored, since they must be judged again.
    private(set) var outdated: [SpooledOccurrence] = []
    /// What people have done before this write, as far as it was read.
    private var histories: [ActivityCounting.Person: StoredActivity] = [:]
    /// The greatest id that is stored, once it was asked for. A spool's ids grow, so most need not be looked for.
    private var greatestStored: Int64?
    private var firsts: FirstInteractions
    /// What is counted once the rows are sent: the engine stores them meanwhile.
    private var uncounted: [(occurrence: Occurrence, recipient: KnownRecipient?, madeAt: Timestamp)] = []

    /// - Parameter outdated: the recipients of whom nothing is stored, because their consent has changed since it was asked
    ///   for.
    init(
        at now: Timestamp, found: FoundReferences, full: FullHistories, butNotOf outdated: Set<Int64>,
        _ writing: WriteContext
    ) throws {
        outdatedRecipients = outdated
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
        guard writing.db.dialect.hasLists, spooled.count > 1 else {
            foundOfBatch = found.recipients(Set(spooled.map(\.occurrence.recipient)))
            return
        }
        var known: KnownOfBatch
        if var before, try before.isCurrent(writing.db) {
            known = before
        } else {
            known = try KnownOfBatch(spooled, found: found, full: full, writing.db)
        }
        for (message, owner) in known.owners { owners[message] = owner }
        histories = known.histories
        try firsts.prefetch(
            spooled.compactMap { spooled in
                let kind = spooled.occurrence.kind
                guard let person = known.person(spooled), !outdatedRecipients.contains(person.recipient),
                    let stored = known.histories[person], stored.isFull,
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
        let recipient = try knownRecipient(of: occurrence, in: organization)
        guard recipient.map({ !outdatedRecipients.contains($0.person.recipient) }) ?? true else {
            return outdated.append(spooled)
        }
        uncounted.append((occurrence, recipient, owner.madeAt))
        known?.stored.insert(spooled.id)
        // Of an erased person it is not known what was the first, so nothing is.
        let isFirst = try recipient.map { try firsts.add(occurrence.kind, of: $0.person, after: $0.history) } ?? false
        try insert.add(
            spooled.id,
            organization,
            occurrence.message,
            recipient?.person.recipient,
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
        for one in uncounted {
            if let recipient = one.recipient {
                counting.add(one.occurrence, of: recipient.person, after: recipient.history, madeAt: one.madeAt)
            } else {
                counting.addOfNobody(one.occurrence, madeAt: one.madeAt)
            }
        }
        try counting.finish()
        for (organization, count) in stored { try QuotasRow.addStored(count, of: organization, writing.db) }
    }

    /// - Returns: `nil` for an occurrence of somebody who was erased.
    private mutating func knownRecipient(of occurrence: Occurrence, in organization: Int64) throws -> KnownRecipient? {
        guard let recipient = try recipient(occurrence.recipient, in: organization) else { return nil }
        let person = ActivityCounting.Person(message: occurrence.message, recipient: recipient)
        if let known = histories[person] { return KnownRecipient(person: person, history: known) }
        let history = try readHistory(of: person, asOf: state(of: organization))
        histories[person] = history
        return KnownRecipient(person: person, history: history)
    }

    private func readHistory(
        of person: ActivityCounting.Person, asOf state: ForgettingState?
    ) throws -> StoredActivity {
        if let known = full.stored(of: person, asOf: state) { return known }
        let history = try PersonHistory.stored(of: person.recipient, person.message, writing.db)
        full.note(history, of: person, asOf: state)
        return history
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
        if let before = foundOfBatch[reference], before.organization == organization,
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
