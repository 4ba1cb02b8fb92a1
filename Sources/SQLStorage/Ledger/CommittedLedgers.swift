import Identifiers
import Ledger
import Synchronization

/// The committed frontiers of all ledgers, for readers.
///
/// It also knows which ledgers are closed (``LedgerInconsistency``).
package final class CommittedLedgers: Sendable {
    fileprivate struct State {
        /// By the id of the organization: after the database was put back, a number may be that of another one.
        var frontiers: [OrganizationID: TreeFrontier] = [:]
        /// Those that no node has sealed, as they were found first.
        var unsealed: [OrganizationID: TreeFrontier] = [:]
        /// What this process has committed last.
        var own: [OrganizationID: TreeFrontier] = [:]
        var inconsistencies: [OrganizationID: LedgerInconsistency] = [:]
        var grown: Set<OrganizationID> = []
        var onGrowth: (@Sendable () -> Void)?
        var onInconsistency: (@Sendable (LedgerInconsistency) -> Void)?
        var exports: [OrganizationID: [WeakOpenings]] = [:]
    }

    /// Guards the state that changes with each commit. Held for a look-up or an assignment.
    fileprivate let state = Mutex(State())

    /// Seals what several processes enter; `nil` where one process alone writes.
    let seals: LedgerSeals?

    package init(seals: LedgerSeals? = nil) { self.seals = seals }

    func frontier(of organization: OrganizationID) -> TreeFrontier? { state.withLock { $0.frontiers[organization] } }

    /// All known frontiers, with those that no node has sealed.
    var frontiers: [OrganizationID: TreeFrontier] {
        state.withLock { $0.frontiers.merging($0.unsealed) { sealed, _ in sealed } }
    }

    /// Publishes the frontiers that this process has committed.
    func publish(_ frontiers: some Sequence<(id: OrganizationID, frontier: TreeFrontier)>) {
        let onGrowth = state.withLock { state in
            for (id, frontier) in frontiers {
                state.frontiers[id] = frontier
                state.own[id] = frontier
                state.grown.insert(id)
            }
            return state.onGrowth
        }
        onGrowth?()
    }

    /// Has the signer look at a ledger as the database has it now.
    func doubt(_ organization: OrganizationID) {
        state.withLock { $0.frontiers[organization] = nil }
        addGrown([organization])
    }

    func addGrown(_ organizations: Set<OrganizationID>) {
        let onGrowth = state.withLock { state in
            state.grown.formUnion(organizations)
            return state.onGrowth
        }
        onGrowth?()
    }

    /// The ledgers into which this process has entered, as they were after its last commit to each of them.
    var committedHeads: [OrganizationID: TreeHead] {
        var hasher = TreeHasher()
        return state.withLock { $0.own }.mapValues { $0.head(&hasher) }
    }

    /// Publishes a frontier that was read from the database, unless a commit has published a newer one meanwhile.
    /// One that no node has sealed is for the check of the ledgers alone: ``frontier(of:)`` does not return it.
    func publishUnlessKnown(_ tree: LedgerTree, of organization: OrganizationID) {
        state.withLock { state in
            let place = tree.isSealed ? \State.frontiers : \.unsealed
            if state[keyPath: place][organization] == nil { state[keyPath: place][organization] = tree.frontier }
        }
    }

    func drainGrown() -> Set<OrganizationID> {
        state.withLock { state in
            defer { state.grown = [] }
            return state.grown
        }
    }

    /// - Parameter body: is called on the writer's thread after each commit that added entries to a ledger.
    func onGrowth(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onGrowth = body } }

    /// Closes a ledger: from now on nothing is entered into it.
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
    /// Remembers an export, which is informed of erasures as long as it lives.
    /// - Parameter areOfAllNodes: whether this process alone writes to the database.
    func keepErased(of organization: OrganizationID, areOfAllNodes: Bool) -> ErasedOpenings {
        let openings = ErasedOpenings(areOfAllNodes: areOfAllNodes)
        state.withLock { state in
            state.exports[organization, default: []].removeAll { $0.openings == nil }
            state.exports[organization, default: []].append(WeakOpenings(openings: openings))
        }
        return openings
    }

    /// The running exports of an organization.
    func exports(of organization: OrganizationID) -> [ErasedOpenings] {
        state.withLock { $0.exports[organization, default: []].compactMap(\.openings) }
    }
}

fileprivate struct WeakOpenings: Sendable {
    weak let openings: ErasedOpenings?
}
