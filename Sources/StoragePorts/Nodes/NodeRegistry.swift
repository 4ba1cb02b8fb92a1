/// The nodes that share a storage. All calls may be concurrent.
package protocol NodeRegistry: Sendable {
    /// All nodes, by their slots.
    func nodes() async throws -> [Node]

    /// Removes a node that does not come back; the next new node gets its slot. The node's data folder can never be
    /// used with the storage again.
    /// - Parameter isForced: whether it is removed even if there are or may be clicks in its spool, which are then lost.
    func remove(_ name: NodeName, isForced: Bool) async throws -> NodeRemoval
}

/// Whether a node was removed, or why not.
package enum NodeRemoval: Hashable, Sendable {
    case removed
    case unknown
    /// The node is running.
    case alive
    /// The number of clicks in its spool when it ended.
    case hasClicks(Int)
    /// It has not said that it ended, so the number of clicks in its spool is unknown.
    case mayHaveClicks
}
