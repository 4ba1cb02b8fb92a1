import Identifiers
import Interactions
import SQL

/// Counts interactions, inside the write that stores them.
///
/// All interactions of a recipient count together: a recipient counts once, and three links within two seconds are a
/// scanner's, in any order of arrival. What a new interaction changes follows from a bounded number of stored ones
/// (``JudgedActivity``).
///
/// If interactions with a message were deleted, the recipients of that message are not counted again
/// (``DeletedInteractions``).
struct ActivityCounting {
    /// A recipient who did something with a message. In the order of messages, then of recipients.
    struct Person: Hashable, Comparable, Sendable {
        let message: MessageID
        let recipient: Int64

        static func < (one: Self, other: Self) -> Bool {
            (one.message.rawValue, one.recipient) < (other.message.rawValue, other.recipient)
        }
    }

    private struct Change {
        let person: Person
        /// What the recipient counts as having done now.
        let responses: ResponseSet
    }

    private let db: any SQLConnection
    /// Messages whose recipients are not counted again.
    private let frozen: Set<MessageID>
    private var counts: [MessageID: ActivityCounts] = [:]
    /// Recipients who now count as having done something else than before.
    private var changes: [Change] = []
    private var ofNobody: [MessageID: MessageActivity] = [:]

    /// - Parameter messages: the messages of the interactions.
    init(of messages: Set<MessageID>, _ db: any SQLConnection) throws {
        self.db = db
        frozen = try DeletedInteractions.messages(among: messages, db)
    }

    /// Counts what one recipient did with one message. Must be called once for each such pair; calls in their order are
    /// faster.
    /// - Parameter stored: what the recipient did before this write.
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

    /// Counts an interaction of an erased recipient.
    mutating func addOfNobody(_ occurrence: Occurrence, madeAt: Timestamp) {
        ofNobody[occurrence.message, default: MessageActivity(madeAt: madeAt)]
            .addOfNobody(MessageActivity.Row(occurrence))
    }

    mutating func finish() throws {
        var responders = try ResponderTable(db)
        try responders.prefetch(changes.map { ($0.person.message, $0.person.recipient) })
        for change in changes {
            try responders.add(change.responses, of: change.person.recipient, to: change.person.message)
        }
        for (message, activity) in ofNobody { counts[message, default: ActivityCounts()] += activity.counts }
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
