import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// Reads the figures of many messages, inside one snapshot: with a few statements for all of them where the engine has
/// lists, else with a few look-ups for each.
enum MessageFigures {
    /// - Returns: nothing for messages that are not the organization's.
    static func read(
        of messages: Set<MessageID>, in organization: Int64, _ db: any SQLConnection
    ) throws -> [MessageID: PeopleFigures] {
        let listed = try ListedMessage.all(Array(messages), in: organization, db)
        let found = Array(listed.keys)
        let people = try PeopleCounting.counts(of: found, listed, db)
        let activity = try ActivityTable.sums(of: found, db)
        var figures: [MessageID: PeopleFigures] = [:]
        for (message, row) in listed {
            guard let people = people[message] else { continue }
            // Decisions, links, days and hours are left out: figures say nothing of them.
            let counts = MessageCounts(
                decisions: [:], people: people,
                activity: MessageActivity(counts: activity[message] ?? ActivityCounts()),
                peopleCountedUntil: nil, tracksOpens: row.tracksOpens)
            figures[message] = counts.figures
        }
        return figures
    }
}

extension SQLConnection {
    /// Calls `visit` with the rows of all messages: with one statement where the engine has lists, else with one for each.
    /// - Parameter sql: makes the statement, whose one place is the message, from what stands after its column.
    func forEachRow(
        of messages: [MessageID], _ sql: (_ condition: String) -> String, visit: (SQLRow) throws -> Void
    ) throws {
        guard !messages.isEmpty else { return }
        guard dialect.hasLists else {
            let one = try statement(sql("= ?"))
            for message in messages {
                try one.forEach(message) { row in
                    try visit(row)
                    return true
                }
            }
            return
        }
        try statement(sql("= ANY(?)")).forEach(IntegerList(messages.map { Int64($0.rawValue) })) { row in
            try visit(row)
            return true
        }
    }

    /// What a table counts of several messages by reason; nothing for those that it has no rows of.
    /// - Parameter condition: on its rows, beginning with `AND`.
    func countsByReason(
        of messages: [MessageID], in table: String, _ condition: String = ""
    ) throws -> [MessageID: [DecisionReason: Int]] {
        var counts: [MessageID: [DecisionReason: Int]] = [:]
        try forEachRow(of: messages) { ofMessage in
            "SELECT message, reason, count FROM \(table) WHERE message \(ofMessage) \(condition)"
        } visit: { row in
            let message: MessageID = try row.id(0)
            let reason = try DecisionReason(code: row.integer(1))
            counts[message, default: [:]][reason] = KeptCount.read(row.integer(2))
        }
        return counts
    }
}
