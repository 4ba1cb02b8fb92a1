import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// Reads what is kept about each of many messages: with a few statements for many of them where the engine has lists,
/// else with a few look-ups for each.
enum CampaignMessages {
    /// So many are in memory together.
    private static let atOnce = 500

    /// Calls `visit` with the counts of each message that is among the listed, and the numbers of its purposes.
    static func read(
        _ messages: [MessageID], _ listed: [MessageID: ListedMessage], _ db: any SQLConnection,
        visit: (MessageCounts, PerActivity<Int64>) throws -> Void
    ) throws {
        for start in stride(from: 0, to: messages.count, by: atOnce) {
            let some = messages[start..<min(start + atOnce, messages.count)].filter { listed[$0] != nil }
            let decisions = try decisions(of: some, db)
            let clicks = try PeopleCounting.counts(of: some, .clicks, db)
            let opens = try PeopleCounting.counts(
                of: some.filter { listed[$0]?.purposes.areApart == true }, .opens, db)
            let activity = try ActivityTable.counts(of: some, db)
            let deleted = try DeletedInteractions.since(of: some, db)
            for message in some {
                guard let row = listed[message] else { continue }
                let people = clicks[message] ?? [:]
                let counts = MessageCounts(
                    decisions: decisions[message] ?? [:],
                    people: row.purposes.areApart
                        ? .apart(clicks: people, opens: opens[message] ?? [:]) : .together(people),
                    activity: MessageActivity(counts: activity[message] ?? ActivityCounts()),
                    peopleCountedUntil: deleted[message], tracksOpens: row.tracksOpens)
                try visit(counts, row.purposes)
            }
        }
    }

    private static func decisions(
        of messages: [MessageID], _ db: any SQLConnection
    ) throws -> [MessageID: [DecisionReason: Int]] {
        var counts: [MessageID: [DecisionReason: Int]] = [:]
        try db.forEachRow(of: messages) { condition in
            "SELECT message, reason, count FROM decision_counts WHERE message \(condition)"
        } visit: { row in
            let message: MessageID = try row.id(0)
            let reason = try DecisionReason(code: row.integer(1))
            counts[message, default: [:]][reason] = KeptCount.read(row.integer(2))
        }
        return counts
    }
}
