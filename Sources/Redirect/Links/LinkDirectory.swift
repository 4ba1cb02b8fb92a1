package import Identifiers
package import Messages
import Synchronization

/// Where links lead, in memory up to a bound; after that, in the message store.
///
/// Only a store that answered may say that a message is unknown: when it cannot be asked, ``find(_:)`` throws.
package final class LinkDirectory: Sendable {
    private struct State {
        var entries: [MessageID: LinkedMessage] = [:]
        var size = 0
        /// Grows whenever a message changes, so that what was read from the store before is not put over it.
        var changes = 0
    }

    /// What the entries may take together, in bytes.
    private let capacity: Int
    private let store: any MessageStore
    private let gates: OrganizationGates
    /// Guards the entries; held for one look-up or one insertion.
    private let state = Mutex(State())

    package init(store: any MessageStore, gates: OrganizationGates, capacity: Int = 32 << 20) {
        self.store = store
        self.gates = gates
        self.capacity = capacity
    }

    /// The message as far as memory knows it.
    func known(_ id: MessageID) -> LinkedMessage? {
        state.withLock { $0.entries[id] }
    }

    /// The message, from the store where memory does not have it; `nil` when there is none such.
    package func find(_ id: MessageID) async throws -> LinkedMessage? {
        while true {
            let (entry, changes) = state.withLock { ($0.entries[id], $0.changes) }
            if let entry { return entry }
            guard let message = try await store.message(id) else { return nil }
            let fresh = LinkedMessage(message, gate: gates.gate(of: message.organization))
            let isCurrent = state.withLock { state in
                guard state.changes == changes else { return false }
                insert(fresh, &state)
                return true
            }
            if isCurrent { return fresh }
        }
    }

    /// Tells of a message that was stored or has changed. The next click sees it.
    package func update(_ message: StoredMessage) {
        let entry = LinkedMessage(message, gate: gates.gate(of: message.organization))
        state.withLock { state in
            state.changes += 1
            insert(state.entries[message.id].map(entry.keepingLinks) ?? entry, &state)
        }
    }

    /// Tells of links of a message that are in the store. The next click finds them, here or there.
    package func add(_ links: [MessageLink], to id: MessageID) {
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
