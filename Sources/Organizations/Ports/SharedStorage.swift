package import Identifiers

/// A storage that several nodes share, as one of them sees it. May be called at once from anywhere.
package protocol SharedStorage: NodeRegistry {
    /// Of this node, for as long as its data folder exists.
    var slot: NodeSlot { get }

    /// Whether this node can show that it knows every change of the rules that was acknowledged anywhere until a second ago.
    var isFresh: Bool { get }

    /// Whether it could show so at a time in the past, as far as this process knows: then it recorded nothing after what
    /// ends recording was acknowledged.
    func wasFresh(at time: Timestamp) -> Bool

    /// For how long it may not know what others changed; `nil` before it knew anything.
    var staleness: Duration? { get }

    /// Whether another process has taken this node's place, or the node was removed: this process must end.
    var wasReplaced: Bool { get }

    /// How many changes wait until every node obeys them.
    var waitingAtFence: Int { get }

    /// What came of those that waited since the start.
    var fencePassages: FencePassages { get }

    /// Returns when the rules may have changed, or when it is time to ask (a fifth of a second).
    func waitForChange() async

    /// Where other nodes can be asked, as of some seconds ago.
    var peers: [String] { get }

    /// Tells how many clicks are in the spool, from the next question on.
    func note(spooled: Int)

    /// The version of the ring of signing keys that the storage has, as of the last question.
    var ringVersion: Int64 { get }

    /// Tells which version of the ring this node opens links with, from the next question on.
    func note(ring version: Int64)

    /// The running nodes that have not told that they have this version of the ring, or a later one.
    func nodes(withoutRing version: Int64) async throws -> [NodeName]

    /// The node ends in an orderly way: nobody waits for it any more.
    func leave() async
}

/// How often a change was answered, and why it could be.
package struct FencePassages: Hashable, Sendable {
    /// Every node obeyed it.
    package var known: UInt64
    /// A node had not told that it does, and can record nothing any more by what it knew before.
    package var expired: UInt64

    package init(known: UInt64 = 0, expired: UInt64 = 0) {
        self.known = known
        self.expired = expired
    }
}
