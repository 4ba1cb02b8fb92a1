import Identifiers
package import Messages
import Synchronization

/// The messages that are in memory, up to a bound. The message store tells it of every change in the order of its
/// commits (see `MessageObserver`), so it ends as the store does.
package final class LinkTable: MessageObserver {
    private struct State {
        var entries: [MessageID: LinkedMessage] = [:]
        var size = 0
        /// Grows whenever a message changes, so that what was read from the store before is not put over it.
        var changes = 0
    }

    /// What was known when somebody began to read from the store.
    package struct Reading: Sendable {
        fileprivate let changes: Int
    }

    /// What the entries may take together, in bytes.
    private let capacity: Int
    private let gates: OrganizationGates
    /// Guards the entries; held for one look-up or one insertion.
    private let state = Mutex(State())

    package init(gates: OrganizationGates, capacity: Int = 32 << 20) {
        self.gates = gates
        self.capacity = capacity
    }

    /// The message as far as memory knows it.
    func known(_ id: MessageID) -> LinkedMessage? {
        state.withLock { $0.entries[id] }
    }

    /// To be called before a message is read from the store, for ``remember(_:as:)``.
    func reading() -> Reading { Reading(changes: state.withLock { $0.changes }) }

    /// Keeps a message that was read from the store, unless any message changed meanwhile: it may be this one.
    /// - Returns: what memory knows then; `nil` when the message has to be read again.
    func remember(_ message: StoredMessage, as reading: Reading) -> LinkedMessage? {
        let fresh = LinkedMessage(message, gate: gates.gate(of: message.organization))
        return state.withLock { state in
            if let known = state.entries[message.id] { return known }
            guard state.changes == reading.changes else { return nil }
            insert(fresh, &state)
            return fresh
        }
    }

    package func messageChanged(_ message: StoredMessage) {
        let entry = LinkedMessage(message, gate: gates.gate(of: message.organization))
        state.withLock { state in
            state.changes += 1
            insert(state.entries[message.id].map(entry.keepingLinks) ?? entry, &state)
        }
    }

    /// Tells of links of a message that are in the store. The next click finds them, here or there.
    func add(_ links: [MessageLink], to id: MessageID) {
        state.withLock { state in
            let old = state.entries[id]
            let new = old?.adding(links)
            if let old, old === new { return }
            // Where memory has nothing, somebody may be reading the message who has not seen them.
            state.changes += 1
            if let new { insert(new, &state) }
        }
    }

    /// Makes room by dropping an eighth of the entries, whichever the table gives first: a campaign's link comes back
    /// with its next click.
    private func insert(_ entry: LinkedMessage, _ state: inout State) {
        if let old = state.entries.updateValue(entry, forKey: entry.id) { state.size -= old.size }
        state.size += entry.size
        guard state.size > capacity else { return }
        for id in Array(state.entries.keys.prefix(max(1, state.entries.count / 8))) where id != entry.id {
            if let dropped = state.entries.removeValue(forKey: id) { state.size -= dropped.size }
        }
    }
}
