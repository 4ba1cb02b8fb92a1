import Consent
import Identifiers
import Messages
package import StoragePorts
import Synchronization

/// The last changes of the rules, numbered in the order of the commits, in memory.
///
/// It tells the observer of every change before the call that caused it is answered. The observer is the only reader of
/// the feed. So a change that it obeys at once, and all before it, are not kept: they would take 4 MiB.
package final class RuleChangeBuffer: RuleChangeLog, Sendable {
    private struct Entry {
        let change: RuleChange
        let weight: Int
    }

    private struct State {
        /// The last changes, oldest first.
        var entries: [Entry] = []
        var weight = 0
        /// How many changes were forgotten.
        var forgotten: UInt64 = 0

        var head: UInt64 { forgotten + UInt64(entries.count) }

        mutating func append(_ entry: Entry) {
            entries.append(entry)
            weight += entry.weight
        }

        mutating func removeAll() {
            forgotten += UInt64(entries.count)
            entries = []
            weight = 0
        }

        /// Forgets the oldest changes. It forgets many at once, because it moves all that stay.
        mutating func shrink(to limit: Int) {
            var count = 0
            while weight > limit {
                weight -= entries[count].weight
                count += 1
            }
            entries.removeFirst(count)
            forgotten += UInt64(count)
        }
    }

    private static let pageLength = 1024

    private let observer: any RuleObserver
    /// The greatest weight of all kept changes together; a unit is about 64 bytes.
    private let capacity: Int
    /// Differs for each process, because the history ends with it: after a restart the positions begin again.
    private let mark = UInt64.random(in: .min ... .max)
    /// Guards the changes; held for one insertion, or while a page is copied.
    private let state = Mutex(State())
    /// The changes of the present transaction.
    private let entered = Mutex<[RuleChange]>([])

    /// - Parameter observer: must obey a change at once only if it knows all changes before it.
    package init(observer: any RuleObserver, capacity: Int = 1 << 16) {
        self.observer = observer
        self.capacity = capacity
    }

    /// The cursor after the last change.
    var head: RuleCursor { cursor(state.withLock { $0.head }) }

    func page(after cursor: RuleCursor) -> RulePage {
        state.withLock { state in
            guard cursor.mark == mark, (state.forgotten...state.head).contains(cursor.position) else {
                return .replaced(isOtherHistory: false)
            }
            let page = state.entries.dropFirst(Int(cursor.position - state.forgotten)).prefix(Self.pageLength)
            return .changes(page.map(\.change), next: self.cursor(cursor.position + UInt64(page.count)))
        }
    }

    private func cursor(_ position: UInt64) -> RuleCursor { RuleCursor(position: position, mark: mark) }

    package func enter(_ changes: [RuleChange], _ place: any RuleTransaction) { entered.withLock { $0 = changes } }

    package func didCommit() {
        let changes = entered.withLock { entered in
            defer { entered = [] }
            return entered
        }
        for change in changes { append(change) }
    }

    /// Must be called on the writer's thread, after the commit.
    func append(_ change: RuleChange) {
        let head = state.withLock { state in
            state.append(Entry(change: change, weight: change.weight))
            if state.weight > capacity { state.shrink(to: capacity / 2) }
            return state.head
        }
        let isObeyed = observer.ruleChanged(change, after: cursor(head - 1), at: cursor(head))
        if isObeyed { state.withLock { $0.removeAll() } }
    }
}
