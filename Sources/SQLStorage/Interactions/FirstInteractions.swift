import Identifiers
import Interactions
import SQL

/// Finds out whether an interaction is a recipient's first of its kind with a message, inside the write that stores it.
///
/// For most recipients the interactions that are read for counting tell it (``StoredActivity``). Interactions beyond
/// the judged ones are not read; a table has the kinds that came first among them. A row for every first click would
/// add a fifth to the cost of storing a click.
struct FirstInteractions {
    /// The kinds of interactions that a recipient has had with a message.
    struct Kinds {
        private var known: InteractionKindSet
        /// At most the number that is judged.
        private var count: Int

        /// - Parameter stored: the recipient's interactions that were stored before this write.
        init(_ stored: StoredActivity) { (known, count) = (stored.kinds, stored.count) }

        enum Answer {
            case isFirst
            case isKnown
            /// The table must be asked, and must note the kind: later writes do not read this interaction.
            case unread
        }

        /// Adds one more, in the order of storing.
        mutating func add(_ kind: InteractionKind) -> Answer {
            let isRead = count < PersonHistory.judged
            if isRead { count += 1 }
            guard known.insert(kind) else { return .isKnown }
            return isRead ? .isFirst : .unread
        }
    }

    private struct Act: Hashable {
        let person: ActivityCounting.Person
        let kind: UInt8
    }

    private let db: any SQLConnection
    private let note: SQLStatement
    /// The acts of the batch that the table did not have, if the engine can be asked for all at once.
    private var prefetched: Set<Act>?

    init(_ db: any SQLConnection) throws {
        self.db = db
        note = try db.statement(Self.insert + "VALUES (?, ?, ?) \(Self.unlessKnown)")
    }

    private static let insert = "INSERT INTO first_interactions (recipient, message, kind) "
    private static let unlessKnown = "ON CONFLICT (recipient, message, kind) DO NOTHING"

    /// Asks the table, if the engine can, with one query for all that are ``Kinds/Answer/unread``, and notes them.
    mutating func prefetch(
        _ acts: some Sequence<(ActivityCounting.Person, InteractionKind)>
    ) throws {
        guard db.dialect.hasLists else { return }
        let acts = Set(acts.map { Act(person: $0, kind: $1.code) })
        guard acts.count > 1 else { return }
        var news: Set<Act> = []
        try db.statement(
            Self.insert + """
                SELECT * FROM unnest(?1, ?2, ?3)
                \(Self.unlessKnown) RETURNING recipient, message, kind
                """
        ).forEach(
            IntegerList(acts.map(\.person.recipient)), IntegerList(acts.map { Int64($0.person.message.rawValue) }),
            IntegerList(acts.map { Int64($0.kind) })
        ) { row in
            let person = ActivityCounting.Person(message: try row.id(1), recipient: row.integer(0))
            news.insert(Act(person: person, kind: UInt8(clamping: row.integer(2))))
            return true
        }
        prefetched = news
    }

    /// Whether the interaction is the first of its kind. Must be called once for each that is stored.
    /// - Parameter kinds: the kinds that the recipient has had so far.
    func add(_ kind: InteractionKind, of person: ActivityCounting.Person, to kinds: inout Kinds) throws -> Bool {
        switch kinds.add(kind) {
        case .isFirst: return true
        case .isKnown: return false
        case .unread:
            if let prefetched { return prefetched.contains(Act(person: person, kind: kind.code)) }
            return try note.changes(person.recipient, person.message, kind.code) > 0
        }
    }

    /// Removes the rows of recipients whose stored interactions are now so few that all of them are read. Must be
    /// called after some were deleted.
    static func forget(_ deleted: Set<DeletedInteraction>, _ db: any SQLConnection) throws {
        let forget = try db.statement(
            """
            DELETE FROM first_interactions WHERE recipient = ?1 AND message = ?2 AND NOT EXISTS (
                SELECT 1 FROM interactions INDEXED BY interactions_of_person
                WHERE message = ?2 AND recipient = ?1 ORDER BY position LIMIT 1 OFFSET ?3
            )
            """
        )
        for gone in deleted { try forget.run(gone.recipient, gone.message, PersonHistory.judged - 1) }
    }
}
