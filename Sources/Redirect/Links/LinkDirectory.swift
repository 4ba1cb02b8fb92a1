package import Identifiers
package import Messages
package import Organizations

/// Where links lead: in memory up to a bound; then in the node's mirror, where it has one; then in the message store; and
/// while that cannot be asked, at other nodes.
///
/// A message is unknown only if the store says so: when the store fails, and nobody else knows it, finding throws.
package final class LinkDirectory: Sendable {
    private let store: any MessageStore
    private let mirror: (any RuleMirror)?
    private let peers: (any LinkPeers)?
    private let isStoreAway: @Sendable () -> Bool
    let table: LinkTable

    /// - Parameters:
    ///   - table: told of changes by the store.
    ///   - isStoreAway: whether the store is known not to answer now. Then others are asked first, for it may take seconds
    ///     to fail.
    package init(
        store: any MessageStore, table: LinkTable, mirror: (any RuleMirror)? = nil, peers: (any LinkPeers)? = nil,
        isStoreAway: @escaping @Sendable () -> Bool = { false }
    ) {
        self.store = store
        self.table = table
        self.mirror = mirror
        self.peers = peers
        self.isStoreAway = isStoreAway
    }

    /// A directory with its own table, which no store tells of changes.
    package convenience init(store: any MessageStore, rules: RecordingRulesTable, capacity: Int = 32 << 20) {
        self.init(store: store, table: LinkTable(rules: rules, capacity: capacity))
    }

    /// The message, if it is in memory.
    func known(_ id: MessageID) -> LinkedMessage? { table.known(id) }

    /// The message, if it is in memory with this link. A link may be added to a message at another node.
    func known(_ id: MessageID, having link: LinkIndex) -> LinkedMessage? {
        table.known(id).flatMap { $0.has(link) ? $0 : nil }
    }

    /// The message; `nil` when it does not exist.
    /// - Parameter link: is looked for where memory or a copy has the message without it. The message is returned without it
    ///   when it has none such.
    /// - Throws: what the store throws.
    package func find(_ id: MessageID, having link: LinkIndex = .message) async throws -> LinkedMessage? {
        if let entry = known(id, having: link) { return entry }
        if mirror?.isWhole ?? false, let found = await mirrored(id, having: link) { return found }
        if isStoreAway(), let found = await elsewhere(id, having: link) { return found }
        do {
            return try await stored(id, having: link)
        } catch {
            // The store does not answer, or what it has of the message cannot be read.
            guard let found = await elsewhere(id, having: link) else { throw error }
            return found
        }
    }

    private func stored(_ id: MessageID, having link: LinkIndex) async throws -> LinkedMessage? {
        while true {
            if let entry = known(id, having: link) { return entry }
            let reading = table.reading()
            guard let message = try await store.message(id) else { return nil }
            if let found = table.remember(FollowedMessage(message), as: reading) { return found }
        }
    }

    private func elsewhere(_ id: MessageID, having link: LinkIndex) async -> LinkedMessage? {
        if let found = await mirrored(id, having: link) { return found }
        let reading = table.reading()
        guard let message = await peers?.message(id, having: link) else { return nil }
        return table.remember(message, as: reading) ?? known(id, having: link)
    }

    private func mirrored(_ id: MessageID, having link: LinkIndex) async -> LinkedMessage? {
        while true {
            let reading = table.reading()
            guard let message = await mirror?.message(id), message.has(link) else { return nil }
            if let found = table.remember(message, as: reading) { return found }
        }
    }

    /// What other nodes may be told of a message: what this one knows of it without asking the store.
    package func copy(of id: MessageID) async -> FollowedMessage? {
        if let entry = table.known(id) { return entry.message }
        return await mirror?.message(id)
    }

    /// Must be called before a message is read from the store, for ``remember(_:as:)``.
    package func reading() -> LinkTable.Reading { table.reading() }

    /// Keeps a message that was read from the store, unless a message has changed since.
    package func remember(_ message: StoredMessage, as reading: LinkTable.Reading) {
        _ = table.remember(FollowedMessage(message), as: reading)
    }
}

extension FollowedMessage {
    /// Whether `link` is a link of it, or the message itself.
    fileprivate func has(_ link: LinkIndex) -> Bool { link == .message || targets[link] != nil }
}
