import SQL
import SQLStorage
import StoragePorts

/// Enters the changes of the rules into the table that all nodes read, and wakes them. Is used on the writer's thread.
final class SharedRuleLog: RuleChangeLog {
    static let channel = "consentlink_rules"

    private struct Entry {
        let change: RuleChange
        let previous: RuleCursor
        let cursor: RuleCursor
    }

    private let observer: any RuleObserver
    private let feed: NodeFeed
    /// The changes of the present transaction.
    private var entered: [Entry] = []

    /// - Parameters:
    ///   - observer: the observer of this node.
    ///   - feed: the feed by which this node follows the others.
    init(observer: any RuleObserver, feed: NodeFeed) {
        self.observer = observer
        self.feed = feed
    }

    func enter(_ changes: [RuleChange], _ place: any RuleTransaction) throws {
        entered = []
        guard !changes.isEmpty, let head = place.feedHead else { return }
        let cursors = try RuleChangeRow.insert(changes, after: head, place.db)
        for (index, change) in changes.enumerated() {
            entered.append(
                Entry(change: change, previous: index == 0 ? head : cursors[index - 1], cursor: cursors[index]))
        }
        place.feedHead = cursors.last
        // Only wakes the nodes; correctness rests on their polls.
        try place.db.statement("SELECT pg_notify('\(Self.channel)', '')").first { _ in }
    }

    func didCommit() {
        for entry in entered
        where observer.ruleChanged(entry.change, after: entry.previous, at: entry.cursor) {
            feed.noteApplied(entry.cursor)
        }
        entered = []
    }
}
