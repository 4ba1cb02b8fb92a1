import Identifiers
import Interactions
import SQL

/// The look-ups for storing occurrences, inside the write: answered from ``KnownOfBatch``, if the engine has lists,
/// otherwise one by one.
struct OccurrenceLookup {
    private let db: any SQLConnection
    private let found: FoundReferences.Kept
    private let full: FullHistories
    private let known: KnownOfBatch?
    private let findStored: SQLStatement
    private let findGreatest: SQLStatement
    private let findRecipient: SQLStatement
    private let findJudged: SQLStatement
    /// The owners of the messages so far; a batch has few messages.
    private var owners: [MessageID: MessageOwner?] = [:]
    private var organizations: [Int64: ForgettingState?] = [:]
    /// The greatest id that is stored or taken, once it was read. A spool's ids grow, so most ids need no look-up.
    private var greatest: Int64?
    private var taken: Set<InteractionID> = []

    init(
        _ spooled: [SpooledOccurrence], found: FoundReferences.Kept, full: FullHistories,
        knownBefore before: KnownOfBatch?, _ db: any SQLConnection
    ) throws {
        self.db = db
        self.found = found
        self.full = full
        known = try Self.known(spooled, found: found, full: full, before: before, db)
        for (message, owner) in known?.owners ?? [:] { owners[message] = owner }
        taken.reserveCapacity(spooled.count)
        findStored = try db.statement("SELECT 1 FROM interactions WHERE id = ?")
        findGreatest = try db.statement("SELECT id FROM interactions ORDER BY id DESC LIMIT 1")
        findRecipient = try db.statement(
            """
            SELECT number FROM recipients
            WHERE reference = ? AND organization = ? AND identifier IS NOT NULL
            """
        )
        findJudged = try db.statement(PersonHistory.findJudged)
    }

    /// - Parameter before: the values from before this write; used if they are still valid.
    private static func known(
        _ spooled: [SpooledOccurrence], found: FoundReferences.Kept, full: FullHistories, before: KnownOfBatch?,
        _ db: any SQLConnection
    ) throws -> KnownOfBatch? {
        guard db.dialect.hasLists, spooled.count > 1 else { return nil }
        if var before, try before.isCurrent(db) { return before }
        return try KnownOfBatch(spooled, found: found, full: full, db)
    }

    /// - Returns: `nil` if there is no such message.
    mutating func owner(of message: MessageID) throws -> MessageOwner? {
        if let known = owners[message] { return known }
        let owner = try MessageOwner.find(message, db)
        owners[message] = .some(owner)
        return owner
    }

    /// Whether the interaction is neither stored nor taken, and was not deleted for its age.
    mutating func isNew(_ id: InteractionID, of organization: Int64) throws -> Bool {
        try !isStored(id) && Int64(id.rawValue) > state(of: organization)?.purged ?? 0
    }

    /// Notes that the interaction is going to be stored.
    mutating func take(_ id: InteractionID) {
        taken.insert(id)
        greatest = greatest.map { max($0, Int64(id.rawValue)) }
    }

    private mutating func isStored(_ id: InteractionID) throws -> Bool {
        if let known { return known.stored.contains(id) || taken.contains(id) }
        let greatest = try greatest ?? findGreatest.first { $0.integer(0) } ?? -1
        self.greatest = greatest
        guard Int64(id.rawValue) <= greatest else { return false }
        return try taken.contains(id) || findStored.first(id) { _ in true } ?? false
    }

    /// The row of a recipient; `nil` for an erased recipient.
    mutating func recipient(_ reference: RecipientReference, in organization: Int64) throws -> Int64? {
        if let known { return known.recipient(reference, in: organization) }
        if let before = found[reference], before.organization == organization,
            before.erasures == (try state(of: organization)?.erasures)
        {
            return before.number
        }
        return try findRecipient.first(reference, organization) { $0.integer(0) }
    }

    /// What a recipient of an organization did before this write.
    mutating func history(of person: ActivityCounting.Person, in organization: Int64) throws -> StoredActivity {
        if let read = known?.histories[person] { return read }
        let state = try state(of: organization)
        if let known = full.stored(of: person, asOf: state) { return known }
        let history = try PersonHistory.stored(of: person.recipient, person.message, by: findJudged)
        full.add(history, of: person, asOf: state)
        return history
    }

    private mutating func state(of organization: Int64) throws -> ForgettingState? {
        if let known { return known.organizations[organization] }
        if let read = organizations[organization] { return read }
        let state = try ForgettingState.find(organization, db)
        organizations[organization] = .some(state)
        return state
    }
}
