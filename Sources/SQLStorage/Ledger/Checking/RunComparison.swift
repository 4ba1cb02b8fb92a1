import Ledger

/// Compares the rows of one run with its entries, row by row.
struct RunComparison {
    private let run: LedgerRun
    private let leaves: LeafHashes
    private var leaf: UInt64
    private var finding: LedgerInconsistency.Finding?
    /// The row whose hash differs from the expected one. It has no entry if the next row has that hash.
    private var suspect: LedgerRowName?
    private var stray: LedgerRowName?
    private var volume: Int64 = 1

    init(_ run: LedgerRun, _ leaves: LeafHashes) {
        self.run = run
        self.leaves = leaves
        leaf = UInt64(run.firstLeaf)
    }

    /// Compares the next row of the run. There may be one row more than the run has, in case one row has no entry.
    /// - Parameter markFault: a fault of the recipient's mark of erasure.
    /// - Returns: whether another row may follow; `false` if this one is a finding.
    mutating func add(
        _ checked: CheckedRow, _ renderer: inout EntryRenderer, markFault: (CheckedRow) throws -> LedgerRowFault?
    ) throws -> Bool {
        if let fault = try checked.fault(after: volume, &renderer) ?? markFault(checked) {
            finding = .row(checked.name, entry: leaf, fault)
            return false
        }
        volume = checked.volume
        if let expected = try leaves.hash(of: leaf), expected != renderer.leaf() {
            guard suspect == nil, stray == nil else {
                finding = .changed(leaf)
                return false
            }
            suspect = checked.name
            return true
        }
        stray = stray ?? suspect
        suspect = nil
        leaf += 1
        return true
    }

    /// What was found once all rows were added.
    var outcome: LedgerInconsistency.Finding? {
        if finding != nil { return finding }
        guard leaf == UInt64(run.leaves.upperBound) else { return .changed(leaf) }
        // If the hashes were computed from the rows, they include the extra row, and it is not known which row that is.
        guard stray != nil || leaves.isCommitted else { return suspect.map { _ in .anotherTree(run.entries) } }
        return (stray ?? suspect).map { .row($0, entry: nil, .withoutEntry) }
    }
}
