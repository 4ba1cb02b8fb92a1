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
        let clicks = try PeopleCounting.counts(of: found, .clicks, db)
        let apart = found.filter { listed[$0]?.purposes.areApart == true }
        let opens = try PeopleCounting.counts(of: apart, .opens, db)
        let activity = try ActivityTable.sums(of: found, db)
        var figures: [MessageID: PeopleFigures] = [:]
        for (message, row) in listed {
            let people = clicks[message] ?? [:]
            // Decisions, links, days and hours are left out: figures say nothing of them.
            let counts = MessageCounts(
                decisions: [:],
                people: row.purposes.areApart
                    ? .apart(clicks: people, opens: opens[message] ?? [:]) : .together(people),
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
}
