package import Identifiers
package import Messages
package import StoragePorts

/// Finds where links lead: in memory up to a bound; then in the node's mirror, if it has one; then in the message
/// store; and at other nodes while the store does not answer.
///
/// A message is unknown only if the store says so. ``find(_:having:)`` throws if the store fails and no other node
/// knows the message.
package final class LinkDirectory: Sendable {
    private let store: any MessageStore
    private let mirror: (any RuleMirror)?
    private let peers: (any LinkPeers)?
    private let isStoreAway: @Sendable () -> Bool
    let table: LinkTable

    /// - Parameters:
    ///   - table: the store tells it of changes.
    ///   - isStoreAway: whether the store is known not to answer now. Then the directory asks mirror and nodes first,
    ///     because the store may take seconds to fail.
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

    /// The message, if it is in memory with this link. A link may be added to a message at another node.
    func known(_ id: MessageID, having link: LinkIndex) -> LinkedMessage? {
        table.known(id).flatMap { $0.has(link) ? $0 : nil }
    }

    /// The message; `nil` when it does not exist.
    /// - Parameter link: the link that the caller needs. A message in memory or in a copy without it is read again.
    ///   Returns the message without it if the message has no such link.
    /// - Throws: what the store throws.
    package func find(_ id: MessageID, having link: LinkIndex = .message) async throws -> LinkedMessage? {
        if let entry = known(id, having: link) { return entry }
        if mirror?.isComplete ?? false, let found = await mirrored(id, having: link) { return found }
        if isStoreAway(), let found = await elsewhere(id, having: link) { return found }
        do {
            return try await stored(id, having: link)
        } catch {
            // The store does not answer, or the message in it cannot be read.
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

    /// The copy of a message for other nodes: what this node knows without asking the store.
    package func copy(of id: MessageID) async -> FollowedMessage? {
        if let entry = table.known(id) { return entry.message }
        return await mirror?.message(id)
    }

    /// Must be called before a message is read from the store, for ``remember(_:as:)``.
    package func reading() -> LinkTable.Reading { table.reading() }

    /// Keeps a message that was read from the store, unless any message has changed since.
    package func remember(_ message: StoredMessage, as reading: LinkTable.Reading) {
        _ = table.remember(FollowedMessage(message), as: reading)
    }
}

extension FollowedMessage {
    /// Whether `link` is a link of it, or the message itself.
    fileprivate func has(_ link: LinkIndex) -> Bool { link == .message || targets[link] != nil }
}
