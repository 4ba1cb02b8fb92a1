import Ledger
import SQL

/// Looks for rows of one kind that lie between the runs and so belong to no ledger.
struct StrayCheck {
    struct Row {
        let number: Int64
        let organization: Int64
    }

    private static let runsPerStep: Int64 = 256

    private let kind: LedgerKind
    private let db: any SQLConnection

    init(kind: LedgerKind, _ db: any SQLConnection) {
        self.kind = kind
        self.db = db
    }

    /// - Parameter last: the last row that was checked.
    /// - Returns: the last row that is checked now, `nil` if there are no more; and a row without an entry, if there is
    ///   one.
    func step(after last: Int64) throws -> (next: Int64?, row: Row?) {
        // The last run grows as entries are added, so the run that has the row `last` is read again.
        let runs = try db.statement(
            """
            SELECT first_id, last_id FROM ledger_runs WHERE kind = ?1 AND first_id >= coalesce(
                (SELECT max(first_id) FROM ledger_runs WHERE kind = ?1 AND first_id <= ?2), ?2
            ) ORDER BY first_id LIMIT ?3
            """
        ).all(kind, last, Self.runsPerStep) { (first: $0.integer(0), last: $0.integer(1)) }
        var end = last
        if last == .min, let row = try older(than: runs.first?.first ?? .max) { return (runs.first?.last, row) }
        for run in runs {
            if end != .min, let row = try row(after: end, before: run.first) { return (run.last, row) }
            end = max(end, run.last)
        }
        guard runs.count < Self.runsPerStep else { return (end, nil) }
        return (nil, try end == .min ? nil : row(after: end, before: .max))
    }

    /// Rows older than the ledgers have no entry. Their number must not have changed since the ledgers began.
    private func older(than first: Int64) throws -> Row? {
        let found = try db.statement("SELECT count(*), max(\(id)) FROM \(table) WHERE \(id) < ?")
            .first(first) { (count: $0.integer(0), last: $0.optionalInteger(1)) }
        let known = try db.statement("SELECT count, last_id FROM ledger_beginnings WHERE kind = ?")
            .first(kind) { (count: $0.integer(0), last: $0.integer(1)) }
        guard let found, let last = found.last else { return nil }
        guard found.count != known?.count || last != known?.last else { return try impossible(before: first) }
        return try row(after: min(known?.last ?? 0, last - 1), before: first)
    }

    /// A row that is older than the ledgers although its organization's ledger is as old as the organization. Needed
    /// because nothing else proves the number of such rows.
    private func impossible(before first: Int64) throws -> Row? {
        let newest = try db.statement(
            "SELECT max(\(id)), organization FROM \(table) WHERE \(id) < ? GROUP BY organization ORDER BY organization"
        ).all(first) { Row(number: $0.integer(0), organization: $0.integer(1)) }
        return try newest.first { try LedgerAge.isOfOrganization($0.organization, db) }
    }

    private func row(after last: Int64, before next: Int64) throws -> Row? {
        try db.statement("SELECT \(id), organization FROM \(table) WHERE \(id) > ? AND \(id) < ? LIMIT 1")
            .first(last, next) { Row(number: $0.integer(0), organization: $0.integer(1)) }
    }

    private var table: String { kind.table }
    private var id: String { kind.idColumn }
}
