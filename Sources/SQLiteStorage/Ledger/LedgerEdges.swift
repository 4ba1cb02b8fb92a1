import GRDB
import Ledger
import Synchronization

/// The right edges of all ledgers as they are committed, for those who read.
///
/// Beside them stand the ledgers that take nothing more (``LedgerBreak``).
final class CommittedLedgers: Sendable {
    private struct State {
        var edges: [Int64: TreeEdge] = [:]
        var breaks: [Int64: LedgerBreak] = [:]
        var onGrowth: (@Sendable () -> Void)?
    }

    /// Guards what changes with each commit. Held for a look-up or an assignment.
    private let state = Mutex(State())

    func edge(of organization: Int64) -> TreeEdge? { state.withLock { $0.edges[organization] } }

    func publish(_ edges: [(organization: Int64, edge: TreeEdge)]) {
        let onGrowth = state.withLock { state in
            for (organization, edge) in edges { state.edges[organization] = edge }
            return state.onGrowth
        }
        onGrowth?()
    }

    /// - Parameter body: is called on the writer's queue after a commit that a ledger grew with.
    func onGrowth(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onGrowth = body } }

    /// From now on nothing is entered into the ledger.
    func close(_ organization: Int64, because reason: LedgerBreak) {
        state.withLock { state in
            if state.breaks[organization] == nil { state.breaks[organization] = reason }
        }
    }

    func requireWhole(_ organization: Int64) throws(LedgerBreak) {
        if let reason = state.withLock({ $0.breaks[organization] }) { throw reason }
    }

    var breaks: [LedgerBreak] { state.withLock { $0.breaks.sorted { $0.key < $1.key }.map(\.value) } }
}

/// The right edges of all ledgers as they are inside the present transaction. Lives on the writer's queue.
///
/// Whatever undoes a write undoes what it did here: ``mark`` is where to go back to, and a commit leaves nothing to
/// undo.
struct LedgerEdges: ~Copyable {
    private let committed: CommittedLedgers
    private var edges: [Int64: TreeEdge] = [:]
    /// What stood in the place of each edge that was set since the last commit, in order.
    private var before: [(organization: Int64, edge: TreeEdge?)] = []

    init(_ committed: CommittedLedgers) { self.committed = committed }

    /// - Returns: `nil` for a ledger that nobody asked for yet since the start.
    func edge(of organization: Int64) -> TreeEdge? { edges[organization] }

    mutating func set(_ edge: TreeEdge, of organization: Int64) {
        before.append((organization, edges.updateValue(edge, forKey: organization)))
    }

    func requireWhole(_ organization: Int64) throws(LedgerBreak) { try committed.requireWhole(organization) }

    var mark: Int { before.count }

    mutating func undo(to mark: Int) {
        while before.count > mark {
            let (organization, edge) = before.removeLast()
            edges[organization] = edge
        }
    }

    mutating func noteCommit() {
        guard !before.isEmpty else { return }
        var known: Set<Int64> = []
        let changed = before.lazy.map(\.organization).filter { known.insert($0).inserted }
        committed.publish(changed.compactMap { organization in edges[organization].map { (organization, $0) } })
        before.removeAll(keepingCapacity: true)
    }
}
