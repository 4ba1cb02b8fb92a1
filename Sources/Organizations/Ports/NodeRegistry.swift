/// The nodes that share a storage. May be called at once from anywhere.
package protocol NodeRegistry: Sendable {
    /// All of them, by their slots.
    func nodes() async throws -> [Node]

    /// Forgets a node that does not come back; its slot is given to the next new node. The node's data folder can never be
    /// used with the storage again.
    /// - Parameter isForced: whether it is forgotten although clicks are in its spool, which are lost.
    func remove(_ name: NodeName, isForced: Bool) async throws -> NodeRemoval
}

package enum NodeRemoval: Hashable, Sendable {
    case removed
    case unknown
    /// It lives.
    case alive
    /// So many clicks were in its spool when it told last.
    case hasClicks(Int)
}
