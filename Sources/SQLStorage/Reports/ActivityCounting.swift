import Identifiers
import Interactions
import SQL

/// Counts interactions, inside the write that stores them.
///
/// What a recipient's interactions count together depends on all of them: a person counts once, and three links within
/// two seconds are a scanner's, in whatever order they arrive. What one more changes is told from the stored ones
/// (``JudgedActivity``), a bounded number of them.
///
/// Of a message of which interactions were deleted, nobody is counted anew (``DeletedInteractions``).
struct ActivityCounting {
    /// Somebody who did something with a message. In the order of messages, and of recipients for each.
    struct Person: Hashable, Comparable, Sendable {
        let message: MessageID
        let recipient: Int64

        static func < (one: Self, other: Self) -> Bool {
            one.message == other.message ? one.recipient < other.recipient : one.message < other.message
        }
    }

    private struct Change {
        let person: Person
        /// What they count as having done now.
        let responses: ResponseSet
    }

    private let db: any SQLConnection
    /// Messages of which nobody is counted anew.
    private let frozen: Set<MessageID>
    private var counts: [MessageID: ActivityCounts] = [:]
    /// Who counts as having done something else than before.
    private var changes: [Change] = []
    private var ofNobody: [MessageID: MessageActivity] = [:]

    /// - Parameter messages: those that people did something with.
    init(of messages: Set<MessageID>, _ db: any SQLConnection) throws {
        self.db = db
        frozen = try DeletedInteractions.messages(among: messages, db)
    }

    /// Counts what one person did with one message. Must be called once for each of them; in their order it is faster.
    /// - Parameter stored: what the person has done before this write.
    mutating func add(
        _ occurrences: some Collection<Occurrence>, of person: Person, after stored: StoredActivity, madeAt: Timestamp
    ) {
        guard let reference = occurrences.first?.recipient else { return }
        var history = PersonHistory(after: stored, of: reference, madeAt: madeAt)
        let before = history.responses
        for occurrence in occurrences { history.add(MessageActivity.Row(occurrence)) }
        history.finish()
        let isFrozen = frozen.contains(person.message)
        counts[person.message, default: ActivityCounts()] +=
            isFrozen ? history.difference.withoutPeople : history.difference
        let responses = history.responses
        if !isFrozen, responses != before { changes.append(Change(person: person, responses: responses)) }
    }

    /// Counts what somebody did who was erased.
    mutating func addOfNobody(_ occurrence: Occurrence, madeAt: Timestamp) {
        ofNobody[occurrence.message, default: MessageActivity(madeAt: madeAt)]
            .add(MessageActivity.Row(occurrence).ofNobody)
    }

    mutating func finish() throws {
        var responders = try ResponderTable(db)
        try responders.prefetch(changes.map { ($0.person.message, $0.person.recipient) })
        for change in changes {
            try responders.note(change.responses, of: change.person.recipient, to: change.person.message)
        }
        for (message, var activity) in ofNobody {
            activity.finish()
            counts[message, default: ActivityCounts()] += activity.counts
        }
        try ActivityTable.add(counts, db)
        try responders.finish()
    }
}

extension MessageActivity.Row {
    init(_ occurrence: Occurrence) {
        self.init(
            recipient: occurrence.recipient, kind: occurrence.kind, occurredAt: occurrence.occurredAt,
            link: occurrence.link, visitor: occurrence.visitor.class)
    }
}
