import Identifiers
import Ledger
import SQL

/// Looks for rows of one kind that lie between the runs and so belong to no ledger.
struct StrayCheck {
    /// A row without an entry.
    struct Stray {
        let number: Int64
        let organization: OrganizationID
    }

    /// Returns the organization with a number; `nil` for one that need not be checked.
    typealias Owner = (Int64) throws -> OrganizationID?

    private struct Row {
        let number: Int64
        /// `nil` if it cannot be read: such a row belongs to no organization.
        let organization: Int64?

        init(_ row: SQLRow) throws {
            number = row.integer(0)
            organization = try row.ifReadable { row.integer(1) }
        }

        func stray(of owner: Owner) throws -> Stray? {
            try organization.flatMap(owner).map { Stray(number: number, organization: $0) }
        }
    }

    private static let runsPerStep: Int64 = 256
    private static let rowsPerStep: Int64 = 1024

    private let kind: LedgerKind
    private let db: any SQLConnection

    init(kind: LedgerKind, _ db: any SQLConnection) {
        self.kind = kind
        self.db = db
    }

    /// - Parameters:
    ///   - last: the last row that was checked.
    ///   - owner: rows of other organizations than these are not looked for.
    /// - Returns: the last row that is checked now, beyond `last`, `nil` if there are no more; and a row without an
    ///   entry, if there is one.
    /// - Throws: ``UnreadableOrganization``
    func step(after last: Int64, owner: Owner) throws -> (next: Int64?, row: Stray?) {
        // The last run grows as entries are added, so the run that has the row `last` is read again.
        let runs = try db.statement(
            """
            SELECT first_id, last_id FROM ledger_runs WHERE kind = ?1 AND first_id >= coalesce(
                (SELECT max(first_id) FROM ledger_runs WHERE kind = ?1 AND first_id <= ?2), ?2
            ) ORDER BY first_id LIMIT ?3
            """
        ).all(kind, last, Self.runsPerStep) { row in
            let first = row.integer(0)
            // The check of the rows names a run whose end cannot be read.
            return (first: first, last: try row.ifReadable { row.integer(1) } ?? first)
        }
        let begin = runs.first?.first
        if last == .min, let row = try older(through: begin.map(Self.before) ?? .max, owner) { return (begin, row) }
        // A damaged run may end before it begins, so the position does not follow from the ends of runs alone.
        var end = last
        for run in runs {
            if end != .min, let stop = try row(after: end, through: Self.before(run.first), owner) { return stop }
            end = max(end, run.last)
        }
        if runs.count == Int(Self.runsPerStep), let start = runs.last?.first { return (max(end, start), nil) }
        return try end == .min ? (nil, nil) : row(after: end, through: .max, owner) ?? (nil, nil)
    }

    /// Rows older than the ledgers have no entry. Their number must not have changed since the ledgers began.
    private func older(through end: Int64, _ owner: Owner) throws -> Stray? {
        let found = try db.statement("SELECT count(*), max(\(id)) FROM \(table) WHERE \(id) <= ?")
            .first(end) { (count: $0.integer(0), last: $0.optionalInteger(1)) }
        let known = try db.statement("SELECT count, last_id FROM ledger_beginnings WHERE kind = ?")
            .first(kind) { (count: $0.integer(0), last: $0.integer(1)) }
        guard let found, let last = found.last else { return nil }
        guard found.count != known?.count || last != known?.last else {
            return try impossible(through: end, owner)
        }
        return try row(from: min(known.map { Self.after($0.last) } ?? 1, last), through: end, owner)?.row
    }

    /// A row that is older than the ledgers although its organization's ledger is as old as the organization. Needed
    /// because nothing else proves the number of such rows.
    private func impossible(through end: Int64, _ owner: Owner) throws -> Stray? {
        let newest = try db.statement(
            "SELECT max(\(id)), organization FROM \(table) WHERE \(id) <= ? GROUP BY organization ORDER BY organization"
        ).all(end) { try Row($0) }
        for row in newest {
            guard let number = row.organization, let stray = try row.stray(of: owner) else { continue }
            let isOfOrganization = try UnreadableOrganization.named(stray.organization) {
                try LedgerAge.isOfOrganization(number, db)
            }
            if isOfOrganization { return stray }
        }
        return nil
    }

    private func row(
        after last: Int64, through end: Int64, _ owner: Owner
    ) throws -> (next: Int64?, row: Stray?)? {
        last == .max ? nil : try row(from: last + 1, through: end, owner)
    }

    /// The first row from one number through another that is of an open ledger.
    /// - Returns: where to continue, and the row; `nil` if there is none up to `end`. Without a row there are more rows
    ///   than one step reads.
    private func row(
        from first: Int64, through end: Int64, _ owner: Owner
    ) throws -> (next: Int64?, row: Stray?)? {
        let rows = try db.statement(
            "SELECT \(id), organization FROM \(table) WHERE \(id) >= ? AND \(id) <= ? ORDER BY \(id) LIMIT ?"
        ).all(first, end, Self.rowsPerStep) { try Row($0) }
        for row in rows {
            if let stray = try row.stray(of: owner) { return (row.number, stray) }
        }
        return rows.count == Int(Self.rowsPerStep) ? rows.last.map { ($0.number, nil) } : nil
    }

    /// No row has a number below the least one, so a run that begins there has no row before it; but the least one is
    /// its own row, which is then looked at for nothing.
    private static func before(_ number: Int64) -> Int64 { number == .min ? .min : number - 1 }

    private static func after(_ number: Int64) -> Int64 { number == .max ? .max : number + 1 }

    private var table: String { kind.table }
    private var id: String { kind.idColumn }
}
