import Identifiers
import Ledger
import SQL
import Synchronization

/// The frontiers of all ledgers as they are committed, for readers.
///
/// It also knows which ledgers are closed (``LedgerInconsistency``).
package final class CommittedLedgers: Sendable {
    fileprivate struct State {
        var frontiers: [Int64: TreeFrontier] = [:]
        var inconsistencies: [OrganizationID: LedgerInconsistency] = [:]
        var grown: Set<OrganizationID> = []
        var onGrowth: (@Sendable () -> Void)?
        var onInconsistency: (@Sendable (LedgerInconsistency) -> Void)?
        var exports: [OrganizationID: [WeakOpenings]] = [:]
    }

    /// Guards what changes with each commit. Held for a look-up or an assignment.
    fileprivate let state = Mutex(State())

    package init() {}

    func frontier(of organization: Int64) -> TreeFrontier? { state.withLock { $0.frontiers[organization] } }

    /// All that are known.
    var frontiers: [Int64: TreeFrontier] { state.withLock { $0.frontiers } }

    func publish(_ frontiers: [(organization: Int64, frontier: TreeFrontier)], grown: Set<OrganizationID>) {
        let onGrowth = state.withLock { state in
            for (organization, frontier) in frontiers { state.frontiers[organization] = frontier }
            state.grown.formUnion(grown)
            return state.onGrowth
        }
        onGrowth?()
    }

    /// A frontier that was read and that nothing was appended to meanwhile.
    func publishUnlessKnown(_ frontier: TreeFrontier, of organization: Int64) {
        state.withLock { state in
            if state.frontiers[organization] == nil { state.frontiers[organization] = frontier }
        }
    }

    func takeGrown() -> Set<OrganizationID> {
        state.withLock { state in
            defer { state.grown = [] }
            return state.grown
        }
    }

    /// - Parameter body: is called on the writer's thread after each commit that made a ledger grow.
    func onGrowth(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onGrowth = body } }

    /// From now on nothing is entered into the ledger.
    func close(because reason: LedgerInconsistency) {
        let onInconsistency = state.withLock { state -> (@Sendable (LedgerInconsistency) -> Void)? in
            guard state.inconsistencies[reason.organization] == nil else { return nil }
            state.inconsistencies[reason.organization] = reason
            return state.onInconsistency
        }
        onInconsistency?(reason)
    }

    func onInconsistency(_ body: @escaping @Sendable (LedgerInconsistency) -> Void) {
        let known = state.withLock { state in
            state.onInconsistency = body
            return Array(state.inconsistencies.values)
        }
        for reason in known { body(reason) }
    }

    func reason(_ organization: OrganizationID) -> LedgerInconsistency? {
        state.withLock { $0.inconsistencies[organization] }
    }

    func requireWhole(_ organization: OrganizationID) throws(LedgerInconsistency) {
        if let reason = reason(organization) { throw reason }
    }

    var inconsistencies: [LedgerInconsistency] { state.withLock { Array($0.inconsistencies.values) } }
}

// MARK: - Exports under way

extension CommittedLedgers {
    /// Remembers an export that is told of erasures as long as it lives.
    func keepErased(of organization: OrganizationID) -> ErasedOpenings {
        let openings = ErasedOpenings()
        state.withLock { state in
            state.exports[organization, default: []].removeAll { $0.openings == nil }
            state.exports[organization, default: []].append(WeakOpenings(openings: openings))
        }
        return openings
    }

    /// The exports of an organization that are being made.
    func exports(of organization: OrganizationID) -> [ErasedOpenings] {
        state.withLock { $0.exports[organization, default: []].compactMap(\.openings) }
    }
}

fileprivate struct WeakOpenings: Sendable {
    weak let openings: ErasedOpenings?
}

/// The frontiers of all ledgers as they are inside the present transaction. Lives on the writer's thread.
///
/// When a write is undone, what it did here is undone too: ``mark`` is the place to go back to, and after a commit
/// there is nothing to undo.
struct LedgerFrontiers: ~Copyable {
    private let committed: CommittedLedgers
    private var frontiers: [Int64: TreeFrontier] = [:]
    /// What stood in the place of each frontier that was set since the last commit, in order.
    private var before: [(organization: Int64, id: OrganizationID, frontier: TreeFrontier?)] = []

    init(_ committed: CommittedLedgers) { self.committed = committed }

    /// - Returns: `nil` for a ledger that was not asked for since the start.
    func frontier(of organization: Int64) -> TreeFrontier? { frontiers[organization] }

    mutating func set(_ frontier: TreeFrontier, of organization: Int64, named id: OrganizationID) {
        before.append((organization, id, frontiers.updateValue(frontier, forKey: organization)))
    }

    func requireWhole(_ organization: OrganizationID) throws(LedgerInconsistency) {
        try committed.requireWhole(organization)
    }

    func exports(of organization: OrganizationID) -> [ErasedOpenings] { committed.exports(of: organization) }

    var mark: Int { before.count }

    mutating func undo(to mark: Int) {
        while before.count > mark {
            let (organization, _, frontier) = before.removeLast()
            frontiers[organization] = frontier
        }
    }

    /// Those that were set since the last commit.
    var changed: [(organization: Int64, frontier: TreeFrontier)] {
        var known: Set<Int64> = []
        return before.lazy.map(\.organization).filter { known.insert($0).inserted }
            .compactMap { organization in frontiers[organization].map { (organization, $0) } }
    }

    mutating func noteCommit() {
        guard !before.isEmpty else { return }
        committed.publish(changed, grown: Set(before.map(\.id)))
        before.removeAll(keepingCapacity: true)
    }

    /// Between two transactions.
    mutating func forget() { frontiers = [:] }
}
