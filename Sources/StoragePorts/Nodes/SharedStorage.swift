package import Identifiers

/// A storage that several nodes share, from the view of one of them. All calls may be concurrent.
package protocol SharedStorage: NodeRegistry {
    /// The slot of this node, which it has as long as its data folder exists.
    var slot: NodeSlot { get }

    /// Whether this node can prove that it knows every change of the rules that was acknowledged on any node up to a
    /// second ago.
    var isFresh: Bool { get }

    /// Whether it could prove that at a past time, as far as this process knows: then it recorded nothing after the
    /// acknowledgement of a change that ends recording.
    func wasFresh(at time: Timestamp) -> Bool

    /// For how long it may lack changes of other nodes; `nil` if it has not known any rules yet.
    var staleness: Duration? { get }

    /// Whether another process has replaced this node, or the node was removed: then this process must end.
    var wasReplaced: Bool { get }

    /// How many changes wait until every node obeys them.
    var waitingAtFence: Int { get }

    /// How the waits of past changes ended since the start.
    var fencePassages: FencePassages { get }

    /// Returns when the rules may have changed, or when it is time to poll (a fifth of a second).
    func waitForChange() async

    /// The addresses at which other nodes can be asked, some seconds old.
    var peers: [String] { get }

    /// Sets the number of clicks in the spool for the next reports. Before the first call, the number is unknown.
    func set(spooled: Int)

    /// The version of the key ring in the storage, as of the last poll.
    var ringVersion: Int64 { get }

    /// Sets the version of the key ring with which this node opens links, for the next reports.
    func set(ring version: Int64)

    /// The running nodes that have not reported this version of the key ring or a later one.
    func nodes(withoutRing version: Int64) async throws -> [NodeName]

    /// Reports that the node ends, so that other nodes no longer wait for it, and the number of clicks in its spool. May
    /// be called again when that number has changed.
    func leave() async
}

/// How many changes were acknowledged, by the reason why they could be.
package struct FencePassages: Hashable, Sendable {
    /// Every node obeyed it.
    package var known: UInt64
    /// A node had not reported that it obeys the change, but can no longer record by its old rules.
    package var expired: UInt64

    package init(known: UInt64 = 0, expired: UInt64 = 0) {
        self.known = known
        self.expired = expired
    }
}
