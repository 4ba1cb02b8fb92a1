import Identifiers
import Interactions
import SQL

/// What must be looked up to store a batch of occurrences, for an engine with lists: a few queries for a batch of any
/// size.
///
/// It can be looked up in a snapshot before the write, when other writes need not wait for it. The write then looks up
/// what has changed since (``isCurrent(_:)``).
struct KnownOfBatch: Sendable {
    /// If there are more new interactions since the snapshot, everything is looked up again.
    static let maximumNewerCount = 20_000

    /// The ids that are stored already.
    private(set) var stored: Set<InteractionID> = []
    private(set) var owners: [MessageID: MessageOwner]
    /// What recipients have done with messages so far.
    private(set) var histories: [ActivityCounting.Person: StoredActivity] = [:]
    private let full: FullHistories
    private var recipients: [RecipientReference: (number: Int64, organization: Int64)] = [:]
    private(set) var organizations: [Int64: ForgettingState]
    /// The position of the last interaction in the snapshot.
    private let lastPosition: Int64
    private let ids: Set<InteractionID>
    /// The range of the ids of stored interactions with the batch's messages.
    private var storedIDs: ClosedRange<Int64>

    init(
        _ spooled: [SpooledOccurrence], found: FoundReferences.Kept, full: FullHistories, _ db: any SQLConnection
    ) throws {
        self.full = full
        ids = Set(spooled.map(\.id))
        lastPosition =
            try db.statement("SELECT position FROM interactions ORDER BY position DESC LIMIT 1")
            .first { $0.integer(0) } ?? 0
        owners = try MessageOwner.find(all: Set(spooled.map(\.occurrence.message)), db)
        organizations = try ForgettingState.find(all: Set(owners.values.map(\.organization)), db)
        storedIDs = try Self.storedIDs(of: owners.values, andBatch: ids, db)
        stored = try Self.stored(ids, db)
        try readRecipients(Set(spooled.map(\.occurrence.recipient)), found: found, db)
        try readHistories(of: Set(spooled.compactMap(person)), db)
    }

    /// Recipients that were found before are not looked up again if no recipient was erased since.
    private mutating func readRecipients(
        _ references: Set<RecipientReference>, found: FoundReferences.Kept, _ db: any SQLConnection
    ) throws {
        var unknown: [Int64] = []
        for reference in references {
            if let known = found[reference], organizations[known.organization]?.erasures == known.erasures {
                recipients[reference] = (known.number, known.organization)
            } else {
                unknown.append(Int64(bitPattern: reference.rawValue))
            }
        }
        guard !unknown.isEmpty else { return }
        try db.statement(
            """
            SELECT reference, number, organization FROM recipients
            WHERE reference = ANY(?) AND identifier IS NOT NULL
            """
        ).forEach(IntegerList(unknown)) { row in
            recipients[try row.reference(0)] = (row.integer(1), row.integer(2))
            return true
        }
    }

    /// - Returns: the ids that are stored.
    private static func stored(_ ids: Set<InteractionID>, _ db: any SQLConnection) throws -> Set<InteractionID> {
        guard let first = ids.min(), let last = ids.max() else { return [] }
        // The bounds tell the server which monthly partitions it can skip.
        return Set(
            try db.statement("SELECT id FROM interactions WHERE id = ANY(?) AND id BETWEEN ? AND ?").all(
                IntegerList(ids.map { Int64($0.rawValue) }), Int64(first.rawValue), Int64(last.rawValue)
            ) { try $0.id(0) })
    }

    /// An interaction's id comes from the clock of the node where it happened, a message's id from that of the node
    /// that made it. A month allows for their difference. If the batch shows a greater one, all ids are searched.
    private static func storedIDs(
        of owners: some Collection<MessageOwner>, andBatch ids: Set<InteractionID>, _ db: any SQLConnection
    ) throws -> ClosedRange<Int64> {
        let earliest = owners.map(\.madeAt).min()?.advanced(byDays: -31) ?? .distantPast
        let bound = Int64(TimeOrderedNumber.lowerBound(at: earliest))
        let first = ids.allSatisfy { Int64($0.rawValue) >= bound } ? bound : 0
        let last = try db.statement("SELECT id FROM interactions ORDER BY id DESC LIMIT 1").first { $0.integer(0) }
        return first...max(first, last ?? 0)
    }

    /// Whether it is valid inside the write, which no other write can overlap. Takes over what others have stored since
    /// the snapshot.
    /// - Returns: `false` if it must be looked up again: also if the state of an organization cannot be read, which
    ///   would tell that recipients were erased since.
    mutating func isCurrent(_ db: any SQLConnection) throws -> Bool {
        let numbers = Set(owners.values.map(\.organization))
        guard organizations.count == numbers.count, try ForgettingState.find(all: numbers, db) == organizations
        else { return false }
        var newer = 0
        var changed: Set<ActivityCounting.Person> = []
        try db.statement(
            "SELECT id, message, recipient FROM interactions WHERE position > ? ORDER BY position LIMIT ?"
        ).forEach(lastPosition, Self.maximumNewerCount) { row in
            newer += 1
            let id: InteractionID = try row.id(0)
            storedIDs = storedIDs.lowerBound...max(storedIDs.upperBound, Int64(id.rawValue))
            if ids.contains(id) { stored.insert(id) }
            guard let recipient = row.optionalInteger(2) else { return true }
            let person = ActivityCounting.Person(message: try row.id(1), recipient: recipient)
            if histories[person] != nil { changed.insert(person) }
            return true
        }
        guard newer < Self.maximumNewerCount else { return false }
        try readHistories(of: changed, db)
        return true
    }

    private mutating func readHistories(of people: Set<ActivityCounting.Person>, _ db: any SQLConnection) throws {
        guard !people.isEmpty else { return }
        var unknown: Set<ActivityCounting.Person> = []
        for person in people {
            histories[person] = full.stored(of: person, asOf: state(of: person))
            if histories[person] == nil { unknown.insert(person) }
        }
        guard !unknown.isEmpty else { return }
        let stored = try PersonHistory.stored(of: unknown, ids: storedIDs, db)
        for person in unknown {
            let read = stored[person] ?? StoredActivity()
            histories[person] = read
            full.add(read, of: person, asOf: state(of: person))
        }
    }

    private func state(of person: ActivityCounting.Person) -> ForgettingState? {
        owners[person.message].flatMap { organizations[$0.organization] }
    }

    /// The message and the recipient, if their history is needed; `nil` for an occurrence that is stored already, was
    /// deleted for its age, or is about an unknown message.
    func person(_ spooled: SpooledOccurrence) -> ActivityCounting.Person? {
        let occurrence = spooled.occurrence
        guard !stored.contains(spooled.id), let owner = owners[occurrence.message],
            Int64(spooled.id.rawValue) > organizations[owner.organization]?.purged ?? 0,
            let recipient = recipient(occurrence.recipient, in: owner.organization)
        else { return nil }
        return ActivityCounting.Person(message: occurrence.message, recipient: recipient)
    }

    /// The row of a recipient; `nil` if the recipient was erased or belongs to another organization.
    func recipient(_ reference: RecipientReference, in organization: Int64) -> Int64? {
        guard let found = recipients[reference], found.organization == organization else { return nil }
        return found.number
    }
}
