import Identifiers
import SQL

/// Finds which entry has which index in a ledger, by its runs and without rendering entries.
struct LedgerIndexLookup {
    private let organization: Int64
    private let db: any SQLConnection

    init(_ organization: Int64, _ db: any SQLConnection) {
        self.organization = organization
        self.db = db
    }

    /// - Returns: `nil` if that entry is not a decision, or if there is none.
    func decision(at leaf: Int64) throws -> DecisionID? {
        guard let run = try lastRun(upTo: leaf, "kind > 0"), run.kind == .decision, run.leaves.contains(leaf) else {
            return nil
        }
        return try db.statement("SELECT id FROM decisions WHERE id BETWEEN ? AND ? ORDER BY id LIMIT 1 OFFSET ?")
            .first(run.firstID, run.lastID, leaf - run.firstLeaf) { try $0.id(0) }
    }

    /// The leaf behind the last decision or consent record among the first `size` entries that was made before
    /// `instant`. The times in a ledger never go back, so a binary search of some twenty steps finds it.
    func size(before instant: Timestamp, of size: Int64) throws -> Int64 {
        let bound = Int64(clamping: TimeOrderedNumber.lowerBound(at: instant))
        var (low, high): (Int64, Int64) = (0, size)
        var last: LedgerRun?
        // Invariant: the first entry of every run that begins before `low` was made before `instant`.
        while low < high {
            let middle = low + (high - low) / 2
            let run = try lastRun(
                upTo: middle, "kind IN (\(LedgerKind.decision.rawValue), \(LedgerKind.consent.rawValue))")
            guard let run, run.firstID >= bound else {
                if let run { last = run }
                low = middle + 1
                continue
            }
            high = min(middle, run.firstLeaf)
        }
        guard let last else { return 0 }
        let table = last.kind == .decision ? "decisions" : "consents"
        let before = try db.statement("SELECT count(*) FROM \(table) WHERE id >= ? AND id <= ? AND id < ?")
            .first(last.firstID, last.lastID, bound) { $0.integer(0) }
        return min(last.firstLeaf + min(before ?? 0, last.count), size)
    }

    /// The last of the runs that begin at or before a leaf.
    private func lastRun(upTo leaf: Int64, _ condition: String) throws -> LedgerRun? {
        try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs WHERE organization = ? AND first_leaf <= ? AND \(condition)
            ORDER BY first_leaf DESC LIMIT 1
            """
        ).first(organization, leaf) { try LedgerRun($0) }
    }
}
