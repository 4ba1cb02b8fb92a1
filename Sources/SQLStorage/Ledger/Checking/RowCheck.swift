import Identifiers
import Ledger
import SQL

/// Compares the rows of one kind with the entries of a ledger, run by run.
struct RowCheck {
    /// A step ends after the run in which it has read so many rows.
    private static let rowsPerStep = 512
    private static let runsPerStep: Int64 = 256

    private let kind: LedgerKind
    private let owner: LedgerRound.Owner
    private let hasher: RecipientHasher
    private let leaves: LeafHashes
    private let db: any SQLConnection

    init(
        _ kind: LedgerKind, _ owner: LedgerRound.Owner, _ hasher: RecipientHasher,
        _ frontier: LedgerRound.CheckedFrontier, _ db: any SQLConnection
    ) {
        self.kind = kind
        self.owner = owner
        self.hasher = hasher
        self.db = db
        leaves = LeafHashes(owner.number, frontier, db)
    }

    /// - Parameter next: the first entry that was not compared yet.
    func step(from next: Int64) throws -> LedgerRound.Outcome {
        let runs = try runs(from: next)
        var outcome = LedgerRound.Outcome(next: next)
        // The last run grows as entries are added. Its rows are compared from the first one on.
        if let first = runs.first, first.leaves.contains(next) { outcome.next = first.firstLeaf }
        var compared = ComparedRuns(end: outcome.next ?? next)
        for (place, run) in runs.enumerated() where run.leaves.upperBound != next {
            // Only if another run follows: otherwise the step would end in a run that still grows.
            guard outcome.entries < Self.rowsPerStep else { return outcome }
            guard run.firstLeaf == outcome.next else {
                outcome.finding = .derived(.runs(UInt64(clamping: outcome.next ?? 0)))
                return outcome
            }
            outcome.next = run.leaves.upperBound
            guard run.kind == kind else { continue }
            guard try isIndexed(run) else {
                outcome.finding = .derived(.runs(UInt64(run.firstLeaf)))
                return outcome
            }
            if run.firstLeaf >= compared.end {
                compared = try compare(run, readAtOnce(runs[place...], behind: outcome.entries))
            }
            outcome.finding = compared.finding(in: run)
            outcome.entries += Int(run.count)
            guard outcome.finding == nil else { return outcome }
        }
        guard runs.count < Self.runsPerStep else { return outcome }
        // All entries that were committed when the step began must be there.
        let end = UInt64(clamping: outcome.next ?? 0)
        if end < leaves.frontier.size { outcome.finding = .missing(end...(leaves.frontier.size - 1)) }
        outcome.next = nil
        return outcome
    }

    /// Some adjacent runs, from the last one that begins at or before entry `next`.
    private func runs(from next: Int64) throws -> [LedgerRun] {
        try db.statement(
            """
            SELECT \(LedgerRun.columns) FROM ledger_runs WHERE organization = ?1 AND first_leaf >= coalesce(
                (SELECT max(first_leaf) FROM ledger_runs WHERE organization = ?1 AND first_leaf <= ?2), ?2
            ) ORDER BY first_leaf LIMIT ?3
            """
        ).all(owner.number, next, Self.runsPerStep) { try LedgerRun($0) }
    }

    /// Whether a row leads to its run, and the feed of consents to a run of its entries, by the indexes of the runs. For
    /// SQLite only, as ``IndexCheck``.
    private func isIndexed(_ run: LedgerRun) throws -> Bool {
        guard db.dialect.engine == .sqlite else { return true }
        let isByRow = try db.statement(
            """
            SELECT 1 FROM ledger_runs INDEXED BY ledger_runs_by_row
            WHERE kind = ? AND first_id = ? AND organization = ? AND first_leaf = ?
            """
        ).first(run.kind, run.firstID, owner.number, run.firstLeaf) { _ in true }
        guard isByRow == true else { return false }
        guard run.kind.isInConsentFeed else { return true }
        return try db.statement(
            """
            SELECT 1 FROM ledger_runs INDEXED BY ledger_runs_of_changes
            WHERE organization = ? AND first_leaf = ? AND \(LedgerKind.isInConsentFeed("kind"))
            """
        ).first(owner.number, run.firstLeaf) { _ in true } == true
    }

    /// A recipient who was judged as erased must be marked so until they give a consent.
    private func markFault(_ row: CheckedRow) throws -> LedgerRowFault? {
        guard let (recipient, name) = row.judgedErased else { return nil }
        let comparison = try UnreadableOrganization.named(owner.id) { try OrganizationRow.require(owner.id, db) }
            .comparison
        let person = try hasher.person(named: name, in: owner.id, by: comparison)
        // A check of its own finds out whether the hash leads to the recipient at all.
        guard let known = try RecipientLookup(db).readable(person.hash), known.recipient == recipient, !known.isErased
        else { return nil }
        return try ErasureMarks(organization: owner.number, db: db).isGranted(recipient) ? nil : .unmarked
    }

    /// Runs that were compared already: those that begin before ``end``, up to the first finding.
    private struct ComparedRuns {
        /// The leaf behind the last of them.
        var end: Int64
        var first: (run: LedgerRun, finding: LedgerInconsistency.Finding)?

        /// - Parameter run: one of them, and none behind the first finding.
        func finding(in run: LedgerRun) -> LedgerInconsistency.Finding? {
            first.flatMap { $0.run == run ? $0.finding : nil }
        }
    }

    /// Compares a run, together with those that a statement reads with it: a server answers each statement apart, which
    /// takes longer than the comparison of a short run.
    /// - Parameter together: from ``readAtOnce(_:behind:)``; a single run is read row by row.
    private func compare(_ run: LedgerRun, _ together: [LedgerRun]) throws -> ComparedRuns {
        guard together.count > 1, let last = together.last else {
            return ComparedRuns(end: run.leaves.upperBound, first: try finding(in: run).map { (run, $0) })
        }
        var compared = ComparedRuns(end: last.leaves.upperBound)
        for case (let run, let finding?) in zip(together, try findings(in: together)) {
            compared.first = (run, finding)
            break
        }
        return compared
    }

    private func finding(in run: LedgerRun) throws -> LedgerInconsistency.Finding? {
        var renderer = EntryRenderer()
        var comparison = RunComparison(run, leaves)
        try db.statement(CheckedRow.query(kind)).forEach(run.firstID, run.lastID, run.count + 1) { row in
            try comparison.add(
                CheckedRow(row, kind, organization: owner.number), &renderer, markFault: markFault)
        }
        return comparison.outcome
    }

    /// What each of many runs has, from one statement. Only the first finding counts: nothing behind it is read.
    private func findings(in runs: [LedgerRun]) throws -> [LedgerInconsistency.Finding?] {
        var renderer = EntryRenderer()
        var comparisons = runs.map { RunComparison($0, leaves) }
        var last = 0
        let column = CheckedRow.runColumn(kind)
        try db.statement(CheckedRow.queryOfRuns(kind)).forEach(
            IntegerList(runs.map(\.firstID)), IntegerList(runs.map(\.lastID)), IntegerList(runs.map { $0.count + 1 }),
            IntegerList(runs.map { _ in 0 })
        ) { row in
            let place = Int(row.integer(column)) - 1
            // Nothing behind a run with a finding is read.
            guard comparisons[last..<place].allSatisfy({ $0.outcome == nil }) else { return false }
            last = place
            return try comparisons[place].add(
                CheckedRow(row, kind, organization: owner.number), &renderer, markFault: markFault)
        }
        return comparisons.map(\.outcome)
    }

    /// The first of `runs` that are compared with one statement.
    /// - Parameter entries: how many were compared in this step.
    private func readAtOnce(_ runs: ArraySlice<LedgerRun>, behind entries: Int) -> [LedgerRun] {
        guard db.dialect.hasLists else { return [] }
        var (together, rows, next) = ([LedgerRun](), Int64(0), runs.first?.firstLeaf)
        for run in runs {
            guard run.firstLeaf == next, entries + Int(rows) < Self.rowsPerStep else { break }
            next = run.leaves.upperBound
            guard run.kind == kind else { continue }
            guard rows == 0 || rows + run.count <= LedgerKind.rowsOfRunsAtOnce else { break }
            together.append(run)
            rows += run.count
        }
        return together
    }
}
