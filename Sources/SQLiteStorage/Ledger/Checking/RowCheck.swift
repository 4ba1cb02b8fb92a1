import GRDB
import Identifiers
import Ledger

/// Holds the rows of one kind to the entries of a ledger, run by run.
struct RowCheck {
    /// A step ends with the run in which it has read so many rows.
    private static let rowsPerStep = 512
    private static let runsPerStep: Int64 = 256

    private let kind: LedgerKind
    private let organization: Int64
    private let leaves: LeafHashes
    private let db: Database

    init(_ kind: LedgerKind, _ organization: Int64, _ edge: LedgerRound.Edge, _ db: Database) throws {
        self.kind = kind
        self.organization = organization
        self.db = db
        leaves = LeafHashes(organization, edge, db)
    }

    /// - Parameter next: the entry with which the next run begins.
    func step(from next: Int64) throws -> LedgerRound.Outcome {
        let runs = try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs WHERE organization = ? AND first_leaf >= ?
            ORDER BY first_leaf LIMIT ?
            """
        ).all(organization, next, Self.runsPerStep) { try LedgerRun($0) }
        var outcome = LedgerRound.Outcome(next: next)
        for run in runs {
            guard run.firstLeaf == outcome.next else {
                outcome.finding = .derived(.runs(UInt64(clamping: outcome.next ?? 0)))
                return outcome
            }
            outcome.next = run.leaves.upperBound
            guard run.kind == kind else { continue }
            outcome.finding = try finding(in: run)
            outcome.entries += Int(run.count)
            guard outcome.finding == nil, outcome.entries < Self.rowsPerStep else { return outcome }
        }
        guard runs.count < Self.runsPerStep else { return outcome }
        // All that was committed when the step began must be there.
        let end = UInt64(clamping: outcome.next ?? 0)
        if end < leaves.edge.size { outcome.finding = .missing(end...(leaves.edge.size - 1)) }
        outcome.next = nil
        return outcome
    }

    private func finding(in run: LedgerRun) throws -> LedgerBreak.Finding? {
        var renderer = EntryRenderer()
        var leaf = UInt64(run.firstLeaf)
        var finding: LedgerBreak.Finding?
        /// Does not stand where it should. It has no entry if the row behind it stands there.
        var suspect: LedgerRowName?
        var stray: LedgerRowName?
        var volume: Int64 = 1
        // One row more than the run has, in case that one of them has no entry.
        try db.statement(CheckedRow.query(kind)).forEach(run.firstID, run.lastID, run.count + 1) { row in
            let checked = CheckedRow(row, kind, organization: organization)
            if let fault = try checked.fault(after: volume, &renderer) {
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
        if finding != nil { return finding }
        guard leaf == UInt64(run.leaves.upperBound) else { return .changed(leaf) }
        // Where the hashes were made of the rows, the row too many took part in them, and nobody can say which it is.
        guard stray != nil || leaves.isCommitted else { return suspect.map { _ in .anotherTree(run.entries) } }
        return (stray ?? suspect).map { .row($0, entry: nil, .withoutEntry) }
    }
}
