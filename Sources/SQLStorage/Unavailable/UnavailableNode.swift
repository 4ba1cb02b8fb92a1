import Identifiers
import StoragePorts

/// This node while it runs without the storage that it shares with other nodes: it knows nothing about them.
struct UnavailableNode: SharedStorage {
    let slot: NodeSlot
    /// Why the storage cannot be used.
    let failure: any StoreFailure

    var isFresh: Bool { false }

    func wasFresh(at time: Timestamp) -> Bool { false }

    var staleness: Duration? { nil }

    var wasReplaced: Bool { false }

    var waitingAtFence: Int { 0 }

    var fencePassages: FencePassages { FencePassages() }

    func waitForChange() async {}

    let peers: [String]

    func set(spooled: Int) {}

    var ringVersion: Int64 { 0 }

    func set(ring version: Int64) {}

    func nodes(withoutRing version: Int64) async throws -> [NodeName] { throw failure }

    func leave() async {}

    func nodes() async throws -> [Node] { throw failure }

    func remove(_ name: NodeName, isForced: Bool) async throws -> NodeRemoval { throw failure }
}
