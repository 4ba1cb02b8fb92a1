import Identifiers
package import Messages
import Synchronization

/// The messages that are in memory, up to a bound. The message store tells it of every change in the order of its
/// commits (see `MessageObserver`), so memory reaches the same state as the store.
package final class LinkTable: MessageObserver {
    private struct State {
        var entries: [MessageID: LinkedMessage] = [:]
        var size = 0
        /// Grows with every change of a message, so that an older reading from the store does not replace a newer one.
        var changes = 0
    }

    /// The state of the table before a message is read from the store.
    package struct Reading: Sendable {
        fileprivate let changes: Int
    }

    /// The most that the entries may take together, in bytes.
    private let capacity: Int
    private let rules: RecordingRulesTable
    /// Guards the entries; held for one look-up or one insertion.
    private let state = Mutex(State())

    package init(rules: RecordingRulesTable, capacity: Int = 32 << 20) {
        self.rules = rules
        self.capacity = capacity
    }

    /// The message, if it is in memory.
    func known(_ id: MessageID) -> LinkedMessage? {
        state.withLock { $0.entries[id] }
    }

    /// Must be called before a message is read from the store, for ``remember(_:as:)``.
    func reading() -> Reading { Reading(changes: state.withLock { $0.changes }) }

    /// Keeps a message that was read from the store or a copy of it, unless any message changed meanwhile: it may be
    /// this one. If the message is in memory already, adds the links that memory lacks.
    /// - Returns: the message as it is in memory then; `nil` when the caller must read it again.
    func remember(_ message: FollowedMessage, as reading: Reading) -> LinkedMessage? {
        let fresh = LinkedMessage(message, rules: rules.rules(of: message.organization))
        return state.withLock { state in
            guard let known = state.entries[message.id] else {
                guard state.changes == reading.changes else { return nil }
                insert(fresh, &state)
                return fresh
            }
            let entry = known.keepingLinks(of: fresh)
            if entry !== known { insert(entry, &state) }
            return entry
        }
    }

    package func messageChanged(_ message: StoredMessage) {
        let entry = LinkedMessage(FollowedMessage(message), rules: rules.rules(of: message.organization))
        state.withLock { state in
            state.changes += 1
            insert(state.entries[message.id].map(entry.keepingLinks) ?? entry, &state)
        }
    }

    package func allMessagesChanged() {
        state.withLock { state in
            state.changes += 1
            state.entries = [:]
            state.size = 0
        }
    }

    /// While there is no room, drops an eighth of the other entries, in no particular order: the message of a campaign
    /// comes back with its next click.
    private func insert(_ entry: LinkedMessage, _ state: inout State) {
        if let old = state.entries.updateValue(entry, forKey: entry.id) { state.size -= old.size }
        state.size += entry.size
        while state.size > capacity, state.entries.count > 1 {
            let others = state.entries.keys.lazy.filter { $0 != entry.id }
            for id in Array(others.prefix(max(1, state.entries.count / 8))) {
                if let dropped = state.entries.removeValue(forKey: id) { state.size -= dropped.size }
            }
        }
    }
}
