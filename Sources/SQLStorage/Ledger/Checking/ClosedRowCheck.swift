import Identifiers
import Ledger
import SQL

/// Compares how many decisions and accesses name no recipient with the numbers in the entries about erasures and
/// retention.
///
/// The rows are counted in steps, and more may be closed meanwhile. So the entries are read at the end: then they
/// account for every row that was counted, unless a row was closed by other means.
struct ClosedRowCheck {
    /// The kinds in the order in which they are counted. Consent records are compared with the settings.
    static let kinds: [LedgerKind] = [.decision, .access]
    private static let rowsPerStep: Int64 = 512

    let kind: LedgerKind
    let db: any SQLConnection

    struct Counted: Sendable {
        /// By the numbers of the organizations.
        var rows: [Int64: Int64] = [:]
        /// The last row that was counted; `nil` at the end.
        var last: Int64?
    }

    /// Counts rows behind the row `last` whose commitment is kept.
    func count(after last: Int64) throws -> Counted {
        var (counted, found) = (Counted(), Int64(0))
        try db.statement(
            """
            SELECT k.id, (SELECT organization FROM \(kind.table) t WHERE t.id = k.id) FROM kept_commitments k
            WHERE k.kind = ? AND k.id > ? ORDER BY k.id LIMIT ?
            """
        ).forEach(kind, last, Self.rowsPerStep) { row in
            counted.last = row.integer(0)
            found += 1
            if let organization = row.optionalInteger(1) { counted.rows[organization, default: 0] += 1 }
            return true
        }
        if found < Self.rowsPerStep { counted.last = nil }
        return counted
    }

    /// An organization that has more closed rows than its entries account for.
    /// - Parameter isClosed: whether the ledger of an organization is closed, so that no finding about it is needed.
    func finding(
        in counted: [Int64: Int64], isClosed: (OrganizationID) -> Bool
    ) throws -> LedgerInconsistency? {
        for (number, found) in counted.sorted(by: { $0.key < $1.key }) {
            let id = try db.statement("SELECT id FROM organizations WHERE number = ?")
                .first(number) { try OrganizationID($0.text(0)) }
            guard let id, !isClosed(id) else { continue }
            let entered = try EnteredCount.sum(of: kind == .decision ? .decisions : .accesses, in: number, db)
            guard found > entered else { continue }
            return LedgerInconsistency(
                id, .derived(.closings(kind.name, found: found, entered: entered)))
        }
        return nil
    }
}
