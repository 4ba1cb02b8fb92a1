import Identifiers
import Interactions
import SQL

/// Whether an interaction is the first of its kind of a person with a message, inside the write that stores it.
///
/// What most people did is read for counting anyway, so it says that too (``StoredActivity``). What comes after as much as
/// is judged is not read: a table has the kinds that came first there. A row there for each first click would cost a fifth
/// of storing one.
struct FirstInteractions {
    /// What somebody has done with a message.
    struct Kinds {
        private var known: InteractionKindSet
        /// Up to as many as are judged.
        private var count: Int

        /// - Parameter stored: what was stored of the person before this write.
        init(_ stored: StoredActivity) { (known, count) = (stored.kinds, stored.count) }

        enum Answer {
            case isFirst
            case isKnown
            /// The table says it, and must have it: later writes do not read it.
            case unread
        }

        /// Takes one more, in the order of storing.
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
    /// What was asked of the table for all of a batch, where the engine can: those that it did not have.
    private var prefetched: Set<Act>?

    init(_ db: any SQLConnection) throws {
        self.db = db
        note = try db.statement(Self.insert + "VALUES (?, ?, ?) ON CONFLICT DO NOTHING")
    }

    private static let insert = "INSERT INTO first_interactions (recipient, message, kind) "

    /// Asks the table at once, where the engine can, for all that is ``Kinds/Answer/unread``, and notes it.
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
                ON CONFLICT DO NOTHING RETURNING recipient, message, kind
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

    /// Whether it is the first of its kind. Must be called once for each that is stored.
    /// - Parameter kinds: what the person has done so far.
    func add(_ kind: InteractionKind, of person: ActivityCounting.Person, to kinds: inout Kinds) throws -> Bool {
        switch kinds.add(kind) {
        case .isFirst: return true
        case .isKnown: return false
        case .unread:
            if let prefetched { return prefetched.contains(Act(person: person, kind: kind.code)) }
            return try note.changes(person.recipient, person.message, kind.code) > 0
        }
    }

    /// Takes from the table whose stored interactions say by themselves again what they did. Must be called after some
    /// were deleted.
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
