import Ledger
import SQL

/// Compares the indexes by which recipients' rows are found with the tables.
///
/// The record in force is read from an index alone, and an erasure finds by indexes what it overwrites. If an index
/// lacks a row or has other values for it, the service would not use the row that has the entry.
///
/// For SQLite only, whose indexes are in the file with their tables and are compared by no other check. Another engine
/// is responsible for its own indexes.
struct IndexCheck {
    /// The parts of a check, one after another.
    fileprivate enum Part: Int64 {
        /// Checks that each row is in its index.
        case consents
        case decisions
        case accesses
        /// Checks that the index entries of each recipient are in the table.
        case recipients
    }

    struct Row {
        let name: LedgerRowName
        let organization: Int64
    }

    struct Outcome {
        /// The position to continue at; `nil` at the end.
        var next: (part: Int64, last: Int64)?
        var row: Row?
    }

    private static let rowsPerStep: Int64 = 512

    let db: any SQLConnection

    /// - Parameters:
    ///   - part: counted from 0.
    ///   - last: the last key that was checked in this part.
    func step(_ part: Int64, after last: Int64) throws -> Outcome {
        guard db.dialect.engine == .sqlite, let part = Part(rawValue: part) else { return Outcome() }
        let (end, isLast) = try end(of: part, after: last)
        let following: (Int64, Int64) = (part.rawValue + 1, .min)
        guard let end else { return Outcome(next: following) }
        let row = try db.statement(part.question).first(last, end) { row in
            Row(name: LedgerRowName(part.kind.name, row.integer(0)), organization: row.integer(1))
        }
        return Outcome(next: isLast ? following : (part.rawValue, end), row: row)
    }

    /// The last row of a step, `nil` if there are no more; and whether it is the last of all. Rows that are stored
    /// during the check are left to the next check.
    private func end(of part: Part, after last: Int64) throws -> (row: Int64?, isLast: Bool) {
        let (key, table) = (part.key, part.table)
        let found = try db.statement(
            """
            SELECT max(\(key)), count(*)
            FROM (SELECT \(key) FROM \(table) NOT INDEXED WHERE \(key) > ? ORDER BY \(key) LIMIT ?)
            """
        ).first(last, Self.rowsPerStep) { (row: $0.optionalInteger(0), count: $0.integer(1)) }
        return (found?.row, (found?.count ?? 0) < Self.rowsPerStep)
    }
}

extension IndexCheck.Part {
    fileprivate var kind: LedgerKind {
        switch self {
        case .consents, .recipients: .consent
        case .decisions: .decision
        case .accesses: .access
        }
    }

    fileprivate var table: String { self == .recipients ? "recipients" : kind.table }

    fileprivate var key: String { self == .recipients ? "number" : kind.idColumn }

    /// Finds one row that fails the check, behind one key and up to another.
    fileprivate var question: String {
        switch self {
        case .consents:
            """
            SELECT t.id, t.organization FROM consents t NOT INDEXED WHERE t.id > ? AND t.id <= ? AND NOT EXISTS (
                SELECT 1 FROM consents i INDEXED BY consents_in_force WHERE \(Self.sameConsent)
            ) LIMIT 1
            """
        case .decisions:
            """
            SELECT t.id, t.organization FROM decisions t NOT INDEXED WHERE t.id > ? AND t.id <= ? AND NOT EXISTS (
                SELECT 1 FROM decisions i INDEXED BY decisions_by_recipient
                WHERE i.volume = t.volume AND i.recipient IS t.recipient AND i.id = t.id
            ) LIMIT 1
            """
        case .accesses:
            """
            SELECT t.id, t.organization FROM accesses t NOT INDEXED WHERE t.id > ? AND t.id <= ? AND NOT EXISTS (
                SELECT 1 FROM accesses i INDEXED BY accesses_by_recipient WHERE i.recipient IS t.recipient AND i.id = t.id
            ) LIMIT 1
            """
        case .recipients:
            """
            SELECT i.id, i.organization FROM recipients r CROSS JOIN consents i INDEXED BY consents_in_force
                ON i.organization = r.organization AND i.recipient = r.number
            WHERE r.number > ? AND r.number <= ? AND NOT EXISTS (
                SELECT 1 FROM consents t NOT INDEXED WHERE \(Self.sameConsent)
            ) LIMIT 1
            """
        }
    }

    /// Whether `t` in the table and `i` in the index have the same values in all columns of the index.
    private static let sameConsent = """
        i.organization = t.organization AND i.recipient IS t.recipient AND i.purpose = t.purpose
            AND i.occurred_at = t.occurred_at AND i.ends_tracking = t.ends_tracking AND i.id = t.id
            AND i.state = t.state AND i.valid_until IS t.valid_until
        """
}
