import Consent
import Identifiers
import Interactions
import Reports
import SQL

/// Reads the counts of many messages: with a few queries for many of them if the engine has lists, otherwise with a few
/// look-ups for each.
enum CampaignMessages {
    /// The greatest number of messages in memory at a time.
    private static let atOnce = 500

    /// Calls `visit` with the counts of each message that `listed` contains, and the numbers of its purposes.
    static func read(
        _ messages: [MessageID], _ listed: [MessageID: ListedMessage], _ db: any SQLConnection,
        visit: (MessageCounts, PerActivity<Int64>) throws -> Void
    ) throws {
        for start in stride(from: 0, to: messages.count, by: atOnce) {
            let some = messages[start..<min(start + atOnce, messages.count)].filter { listed[$0] != nil }
            let decisions = try db.countsByReason(of: some, in: "decision_counts")
            let people = try PeopleCounting.counts(of: some, listed, db)
            let activity = try ActivityTable.counts(of: some, db)
            let deleted = try DeletedInteractions.since(of: some, db)
            for message in some {
                guard let row = listed[message], let people = people[message] else { continue }
                let counts = MessageCounts(
                    decisions: decisions[message] ?? [:], people: people,
                    activity: MessageActivity(counts: activity[message] ?? ActivityCounts()),
                    peopleCountedUntil: deleted[message], tracksOpens: row.tracksOpens)
                try visit(counts, row.purposes)
            }
        }
    }
}
