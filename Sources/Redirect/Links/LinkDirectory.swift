package import Identifiers
package import Messages

/// Where links lead, in memory up to a bound; after that, in the message store.
///
/// A message is unknown only if the store says so: when the store fails, ``find(_:)`` throws.
package final class LinkDirectory: Sendable {
    private let store: any MessageStore
    let table: LinkTable

    /// - Parameter table: told of changes by the store.
    package init(store: any MessageStore, table: LinkTable) {
        self.store = store
        self.table = table
    }

    /// A directory with its own table, which no store tells of changes.
    package convenience init(store: any MessageStore, rules: RecordingRulesTable, capacity: Int = 32 << 20) {
        self.init(store: store, table: LinkTable(rules: rules, capacity: capacity))
    }

    /// The message, if it is in memory.
    func known(_ id: MessageID) -> LinkedMessage? { table.known(id) }

    /// The message, from memory or else from the store; `nil` when it does not exist.
    /// - Throws: what the store throws.
    package func find(_ id: MessageID) async throws -> LinkedMessage? {
        while true {
            if let entry = table.known(id) { return entry }
            let reading = table.reading()
            guard let message = try await store.message(id) else { return nil }
            if let known = table.remember(message, as: reading) { return known }
        }
    }

    /// Must be called before a message is read from the store, for ``remember(_:as:)``.
    package func reading() -> LinkTable.Reading { table.reading() }

    /// Keeps a message that was read from the store, unless a message has changed since.
    package func remember(_ message: StoredMessage, as reading: LinkTable.Reading) {
        _ = table.remember(message, as: reading)
    }

    /// Adds links of a message that are in the store already. The next click finds them, here or in the store.
    package func add(_ links: [MessageLink], to id: MessageID) { table.add(links, to: id) }
}
