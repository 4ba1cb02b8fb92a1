package import Identifiers
package import Messages

/// Where links lead, in memory up to a bound; after that, in the message store.
///
/// Only a store that answered may say that a message is unknown: when it cannot be asked, ``find(_:)`` throws.
package final class LinkDirectory: Sendable {
    private let store: any MessageStore
    let table: LinkTable

    /// - Parameter table: is told of changes by the store.
    package init(store: any MessageStore, table: LinkTable) {
        self.store = store
        self.table = table
    }

    /// A directory with a table of its own, which is told of nothing.
    package convenience init(store: any MessageStore, gates: OrganizationGates, capacity: Int = 32 << 20) {
        self.init(store: store, table: LinkTable(gates: gates, capacity: capacity))
    }

    /// The message as far as memory knows it.
    func known(_ id: MessageID) -> LinkedMessage? { table.known(id) }

    /// The message, from the store where memory does not have it; `nil` when there is none such.
    package func find(_ id: MessageID) async throws -> LinkedMessage? {
        while true {
            if let entry = table.known(id) { return entry }
            let reading = table.reading()
            guard let message = try await store.message(id) else { return nil }
            if let known = table.remember(message, as: reading) { return known }
        }
    }

    /// To be called before a message is read from the store, for ``remember(_:as:)``.
    package func reading() -> LinkTable.Reading { table.reading() }

    /// Keeps a message that was read from the store, unless something changed meanwhile.
    package func remember(_ message: StoredMessage, as reading: LinkTable.Reading) {
        _ = table.remember(message, as: reading)
    }

    /// Tells of links of a message that are in the store. The next click finds them, here or there.
    package func add(_ links: [MessageLink], to id: MessageID) { table.add(links, to: id) }
}
