import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// Reads the figures of many messages, inside one snapshot: with a few queries for all of them if the engine has lists,
/// otherwise with a few look-ups for each.
enum MessageFigures {
    /// - Returns: leaves out messages that do not belong to the organization.
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
            // Figures do not contain decisions, links, days and hours, so they are not read.
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
    /// Calls `visit` with the rows of all messages: with one query if the engine has lists, otherwise with one for
    /// each.
    /// - Parameter sql: makes the query, which has the message as its only parameter, from the condition on that
    ///   column.
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

    /// The counts of several messages by reason, from one table. Messages without rows are left out.
    /// - Parameter condition: a condition on the rows that begins with `AND`.
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
