import Identifiers
import StoragePorts
import Synchronization

struct Outage: Error {}

/// A node and its storage, which may be away. It has no messages and no rules.
final class FakeNode: SharedStorage, RuleFeed {
    private let state = Mutex((isFresh: false, isAway: true))

    var isFresh: Bool { state.withLock { $0.isFresh } }

    func set(isFresh: Bool, isAway: Bool) { state.withLock { $0 = (isFresh, isAway) } }

    func messages(after id: MessageID?, limit: Int) async throws -> MessagePage {
        if state.withLock({ $0.isAway }) { throw Outage() }
        return MessagePage(messages: [], last: nil)
    }

    let slot = NodeSlot.single
    let staleness: Duration? = nil
    let wasReplaced = false
    let waitingAtFence = 0
    let fencePassages = FencePassages()
    let peers: [String] = []
    let ringVersion: Int64 = 0

    func wasFresh(at time: Timestamp) -> Bool { false }
    func waitForChange() async {}
    func set(spooled: Int) {}
    func set(ring version: Int64) {}
    func nodes(withoutRing version: Int64) async throws -> [NodeName] { [] }
    func leave() async {}
    func nodes() async throws -> [Node] { [] }
    func remove(_ name: NodeName, isForced: Bool) async throws -> NodeRemoval { .unknown }
    func poll(after cursor: RuleCursor) async throws -> RulePage { throw Outage() }
    func snapshot() async throws -> RuleSnapshot { throw Outage() }
}
