import Identifiers
package import Ledger
import SQL

extension SQLLedgerStore: LedgerChecking {
    package func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep {
        guard position.phase != .closings else { return try await checkClosedRows(from: position) }
        let step = try await database.read(round(from: position))
        guard step.finding != nil else { return step }
        // A closed ledger takes no more entries, so the finding is confirmed first: a server that was replaced may have
        // shown an earlier state, and a cancelled read may have seen only a part.
        try Task.checkCancellation()
        let current = try await database.readCurrent(round(from: position))
        try Task.checkCancellation()
        if let finding = current.finding { close(because: finding) }
        return current
    }

    /// The step of a check, to be read in a snapshot that begins now.
    private func round(
        from position: LedgerCheckPosition
    ) -> @Sendable (any SQLConnection) throws -> LedgerCheckStep {
        // Taken before the snapshot begins, so that the snapshot has all entries of these frontiers.
        { [hasher, ledgers, frontiers = ledgers.frontiers] db in
            let round = LedgerRound(
                db: db, hasher: hasher, frontier: { try Self.frontier(of: $0.number, known: frontiers[$0.id], db) },
                isClosed: { ledgers.reason($0) != nil })
            return try round.step(from: position)
        }
    }

    /// - Parameter known: the frontier that this process knew before the snapshot began. Other processes may have added
    ///   entries since.
    private static func frontier(
        of organization: Int64, known: TreeFrontier?, _ db: any SQLConnection
    ) throws -> LedgerRound.CheckedFrontier {
        if let known {
            let isLast = try !db.dialect.hasSeveralWriters || LedgerTree.size(of: organization, db) <= known.size
            let tree = try isLast ? known : LedgerTree.current(organization, db).frontier
            return LedgerRound.CheckedFrontier(frontier: tree, isCommitted: true)
        }
        let loaded = try LedgerTree.loadCommitted(organization, db)
        return LedgerRound.CheckedFrontier(frontier: loaded.tree.frontier, isCommitted: loaded.isCommitted)
    }

    package func entryCount() async throws -> UInt64 {
        try await database.read { db in
            let organizations = try db.statement("SELECT number FROM organizations").all { $0.integer(0) }
            return try organizations.reduce(UInt64(0)) { sum, organization in
                // A ledger whose runs cannot be read is named by the check.
                let size = try LedgerTree.sizeIfReadable(of: organization, db) ?? 0
                let (total, overflow) = sum.addingReportingOverflow(size)
                return overflow ? .max : total
            }
        }
    }

    package func rowCounts(upTo most: UInt64) async throws -> LedgerCheckRows {
        try await database.read { db in
            let most = Int64(clamping: most)
            return try LedgerCheckRows(
                ofOneTable: IndexCheck.Tables.withEntries.rowCount(upTo: most, db),
                // Another engine's indexes are not checked.
                withoutEntries: db.dialect.engine == .sqlite
                    ? IndexCheck.Tables.withoutEntries.rowCount(upTo: most, db) : 0)
        }
    }

    package func checkPosition() async throws -> LedgerCheckPosition? {
        try await database.read { [slot = database.slot] db in
            let found = try db.statement("SELECT phase, organization, next FROM ledger_check WHERE node = ?").first(
                slot.rawValue
            ) { row in
                LedgerCheckPosition.Phase(rawValue: row.integer(0)).map {
                    LedgerCheckPosition(phase: $0, organization: row.integer(1), next: row.integer(2))
                }
            }
            return found ?? nil
        }
    }

    package func keep(_ position: LedgerCheckPosition?) async throws {
        try await database.write { [slot = database.slot] writing in
            try writing.db.statement("DELETE FROM ledger_check WHERE node = ?").run(slot.rawValue)
            guard let position else { return }
            try writing.db.statement("INSERT INTO ledger_check (node, phase, organization, next) VALUES (?, ?, ?, ?)")
                .run(slot.rawValue, position.phase.rawValue, position.organization, position.next)
        }
    }
}
