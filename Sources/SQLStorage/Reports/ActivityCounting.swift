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
    /// Somebody who did something with a message.
    struct Person: Hashable, Sendable {
        let message: MessageID
        let recipient: Int64
    }

    private struct Change {
        /// What they counted as having done before.
        let before: Set<Response>
        var history: PersonHistory
    }

    private let db: any SQLConnection
    private var people: [Person: Change] = [:]
    private var ofNobody: [MessageID: MessageActivity] = [:]

    init(_ db: any SQLConnection) { self.db = db }

    /// - Parameter stored: what the person has done before this write.
    mutating func add(_ occurrence: Occurrence, of person: Person, after stored: StoredActivity, madeAt: Timestamp) {
        if people[person] == nil {
            let history = PersonHistory(after: stored, of: occurrence.recipient, madeAt: madeAt)
            people[person] = Change(before: history.responses, history: history)
        }
        people[person]?.history.add(MessageActivity.Row(occurrence))
    }

    /// Counts what somebody did who was erased.
    mutating func addOfNobody(_ occurrence: Occurrence, madeAt: Timestamp) {
        ofNobody[occurrence.message, default: MessageActivity(madeAt: madeAt)]
            .add(MessageActivity.Row(occurrence).ofNobody)
    }

    mutating func finish() throws {
        var counts: [MessageID: ActivityCounts] = [:]
        var responders = try ResponderTable(db)
        let frozen = try DeletedInteractions.messages(among: Set(people.keys.map(\.message)), db)
        for person in people.keys { people[person]?.history.finish() }
        try responders.prefetch(
            people.compactMap { person, change in
                change.history.responses == change.before ? nil : (person.message, person.recipient)
            })
        for (person, change) in people {
            var difference = change.history.difference
            let isFrozen = frozen.contains(person.message)
            if isFrozen { difference = difference.withoutPeople }
            counts[person.message, default: ActivityCounts()] += difference
            let responses = change.history.responses
            if !isFrozen, responses != change.before {
                try responders.note(responses, of: person.recipient, to: person.message)
            }
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
