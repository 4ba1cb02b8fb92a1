import Identifiers
import Interactions
import SQL

/// What storing a batch of occurrences asks of an engine that has lists: a few questions, however many there are.
///
/// It may be asked in a snapshot before the write, for which others need not wait. The write then asks what has changed
/// since (``isCurrent(_:)``).
struct KnownOfBatch: Sendable {
    /// What an organization's row tells of changes of what stands here.
    private struct State: Equatable {
        /// Grows with each person that is erased: then a reference has no recipient any more.
        let erasures: Int64
        /// Up to which id retention has deleted.
        let purged: Int64
    }

    /// More interactions than these since the snapshot are not looked at: everything is asked anew.
    static let mostNewer = 20_000

    /// The ids that are stored already, and those that are added.
    var stored: Set<InteractionID> = []
    private(set) var owners: [MessageID: MessageOwner]
    /// What people have done with messages so far, in the order of storing and as far as it is judged; empty for who did
    /// nothing yet.
    private(set) var histories: [ActivityCounting.Person: [MessageActivity.Row]] = [:]
    private var recipients: [RecipientReference: (number: Int64, organization: Int64)] = [:]
    private var organizations: [Int64: State] = [:]
    /// Of the last interaction in the snapshot.
    private let lastPosition: Int64
    private let ids: Set<InteractionID>

    init(_ spooled: [SpooledOccurrence], _ db: any SQLConnection) throws {
        ids = Set(spooled.map(\.id))
        lastPosition =
            try db.statement("SELECT position FROM interactions ORDER BY position DESC LIMIT 1")
            .first { $0.integer(0) } ?? 0
        owners = try MessageOwner.find(all: Set(spooled.map(\.occurrence.message)), db)
        organizations = try Self.states(of: Set(owners.values.map(\.organization)), db)
        try db.statement("SELECT id FROM interactions WHERE id = ANY(?)")
            .forEach(IntegerList(ids.map { Int64($0.rawValue) })) { row in
                stored.insert(try row.id(0))
                return true
            }
        let references = Set(spooled.map { Int64(bitPattern: $0.occurrence.recipient.rawValue) })
        try db.statement(
            """
            SELECT reference, number, organization FROM recipients
            WHERE reference = ANY(?) AND identifier IS NOT NULL
            """
        ).forEach(IntegerList(Array(references))) { row in
            recipients[try row.reference(0)] = (row.integer(1), row.integer(2))
            return true
        }
        try readHistories(of: Set(spooled.compactMap(person)), db)
    }

    /// Whether it holds inside the write, which alone changes something now. What others have stored since the snapshot is
    /// taken over.
    /// - Returns: `false` when it must be asked anew.
    mutating func isCurrent(_ db: any SQLConnection) throws -> Bool {
        guard try Self.states(of: Set(organizations.keys), db) == organizations else { return false }
        var newer = 0
        var changed: Set<ActivityCounting.Person> = []
        try db.statement(
            "SELECT id, message, recipient FROM interactions WHERE position > ? ORDER BY position LIMIT ?"
        ).forEach(lastPosition, Self.mostNewer) { row in
            newer += 1
            let id: InteractionID = try row.id(0)
            if ids.contains(id) { stored.insert(id) }
            guard let recipient = row.optionalInteger(2) else { return true }
            let person = ActivityCounting.Person(message: try row.id(1), recipient: recipient)
            if histories[person] != nil { changed.insert(person) }
            return true
        }
        guard newer < Self.mostNewer else { return false }
        try readHistories(of: changed, db)
        return true
    }

    private static func states(of organizations: Set<Int64>, _ db: any SQLConnection) throws -> [Int64: State] {
        let found = try db.statement(
            "SELECT number, erasures, interactions_purged FROM organizations WHERE number = ANY(?)"
        ).all(IntegerList(Array(organizations))) { row in
            (row.integer(0), State(erasures: row.integer(1), purged: row.integer(2)))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    private mutating func readHistories(of people: Set<ActivityCounting.Person>, _ db: any SQLConnection) throws {
        guard !people.isEmpty else { return }
        for person in people { histories[person] = [] }
        try PersonHistory.forEachJudged(of: people.map { ($0.message, $0.recipient) }, db) { message, recipient, row in
            histories[ActivityCounting.Person(message: message, recipient: recipient)]?.append(row)
        }
    }

    /// Who did it, if their history is needed: not of what is stored already, was deleted for its age, or is of a message
    /// that is not known.
    func person(_ spooled: SpooledOccurrence) -> ActivityCounting.Person? {
        let occurrence = spooled.occurrence
        guard !stored.contains(spooled.id), let owner = owners[occurrence.message],
            Int64(spooled.id.rawValue) > greatestPurged(owner.organization) ?? 0,
            let recipient = recipient(occurrence.recipient, in: owner.organization)
        else { return nil }
        return ActivityCounting.Person(message: occurrence.message, recipient: recipient)
    }

    /// Up to which id retention has deleted; `nil` for an organization that has nothing here.
    func greatestPurged(_ organization: Int64) -> Int64? { organizations[organization]?.purged }

    /// The row of a recipient who is still known; `nil` for another.
    func recipient(_ reference: RecipientReference, in organization: Int64) -> Int64? {
        guard let found = recipients[reference], found.organization == organization else { return nil }
        return found.number
    }
}

/// Who did something for the first time.
struct FirstInteractions {
    struct Act: Hashable {
        let person: ActivityCounting.Person
        let kind: UInt8
    }

    /// Whoever is told so is taken out.
    private var firsts: Set<Act> = []

    /// Notes what people do, inside the write, and finds out for whom it is the first time.
    init(_ acts: Set<Act>, _ db: any SQLConnection) throws {
        try db.statement(
            """
            INSERT INTO first_interactions (recipient, message, kind) SELECT * FROM unnest(?1, ?2, ?3)
            ON CONFLICT DO NOTHING RETURNING recipient, message, kind
            """
        ).forEach(
            IntegerList(acts.map(\.person.recipient)), IntegerList(acts.map { Int64($0.person.message.rawValue) }),
            IntegerList(acts.map { Int64($0.kind) })
        ) { row in
            let person = ActivityCounting.Person(message: try row.id(1), recipient: row.integer(0))
            firsts.insert(Act(person: person, kind: UInt8(clamping: row.integer(2))))
            return true
        }
    }

    mutating func take(_ act: Act) -> Bool { firsts.remove(act) != nil }
}
