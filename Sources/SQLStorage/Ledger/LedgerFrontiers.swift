import Identifiers
import Ledger

/// The frontiers of all ledgers inside the present transaction, of which ``CommittedLedgers`` learns with the commit.
/// Is used on the writer's thread.
///
/// If a write is undone, its changes here are undone too: ``savepoint`` is the state to return to. After a commit there
/// is nothing to undo.
struct LedgerFrontiers: ~Copyable {
    private let committed: CommittedLedgers
    private var frontiers: [Int64: TreeFrontier] = [:]
    /// The former value of each frontier that was set since the last commit, in order.
    private var before: [(organization: Int64, id: OrganizationID, frontier: TreeFrontier?)] = []

    init(_ committed: CommittedLedgers) { self.committed = committed }

    /// - Returns: `nil` for a ledger that was not used since the start.
    func frontier(of organization: Int64) -> TreeFrontier? { frontiers[organization] }

    mutating func set(_ frontier: TreeFrontier, of organization: Int64, named id: OrganizationID) {
        before.append((organization, id, frontiers.updateValue(frontier, forKey: organization)))
    }

    func requireWhole(_ organization: OrganizationID) throws(LedgerInconsistency) {
        try committed.requireWhole(organization)
    }

    var seals: LedgerSeals? { committed.seals }

    func close(because reason: LedgerInconsistency) { committed.close(because: reason) }

    func doubt(_ organization: OrganizationID) { committed.doubt(organization) }

    func exports(of organization: OrganizationID) -> [ErasedOpenings] { committed.exports(of: organization) }

    var savepoint: Int { before.count }

    mutating func undo(to savepoint: Int) {
        while before.count > savepoint {
            let (organization, _, frontier) = before.removeLast()
            frontiers[organization] = frontier
        }
    }

    /// The frontiers that were set since the last commit.
    var changed: [(organization: Int64, id: OrganizationID, frontier: TreeFrontier)] {
        var known: Set<Int64> = []
        return before.lazy.filter { known.insert($0.organization).inserted }
            .compactMap { changed in frontiers[changed.organization].map { (changed.organization, changed.id, $0) } }
    }

    mutating func didCommit() {
        guard !before.isEmpty else { return }
        committed.publish(changed.lazy.map { (id: $0.id, frontier: $0.frontier) })
        before.removeAll(keepingCapacity: true)
    }

    /// Must be called between two transactions.
    mutating func forget() { frontiers = [:] }
}
