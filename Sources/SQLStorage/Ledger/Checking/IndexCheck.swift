import Ledger
import SQL

/// Compares indexes with their tables.
///
/// The record in force is read from an index alone, an erasure finds by indexes what it overwrites, lists are read in
/// the order of an index, and messages and purposes are found by one. If an index lacks a row or has other values for
/// it, the service would not use the row that has the entry.
///
/// For SQLite only, whose indexes are in the file with their tables and are compared by no other check. Another engine
/// is responsible for its own indexes.
struct IndexCheck {
    /// The tables of one phase of a check.
    enum Tables {
        case withEntries
        case withoutEntries

        /// The parts of the check, one after another. The place of one is stored as the position of a check.
        fileprivate var parts: [Part] {
            switch self {
            case .withEntries:
                [.consents, .decisions, .accesses, .recordsOfRecipients, .recipients, .messages, .purposes]
            case .withoutEntries: [.interactions, .consentRequests]
            }
        }

        /// The greatest number of rows that one of the tables has.
        /// - Parameter most: no table is counted further.
        func rowCount(upTo most: Int64, _ db: any SQLConnection) throws -> UInt64 {
            let counts = try Set(parts.map { IndexCheck.table(of: $0).name }).map { name in
                try db.statement("SELECT count(*) FROM (SELECT 1 FROM \(name) LIMIT ?) AS t")
                    .first(most) { UInt64(clamping: $0.integer(0)) } ?? 0
            }
            return counts.max() ?? 0
        }
    }

    fileprivate enum Part {
        /// Checks that each row is in the indexes of its table.
        case consents
        case decisions
        case accesses
        /// Checks that the index entries of each recipient's consent records are in the table.
        case recordsOfRecipients
        /// As the first ones.
        case recipients
        case messages
        case purposes
        case interactions
        case consentRequests
    }

    struct Row {
        let finding: LedgerInconsistency.Finding
        /// `nil` if the row belongs to all organizations.
        let organization: Int64?
    }

    struct Outcome {
        /// The position to continue at; `nil` at the end.
        var next: (part: Int64, last: Int64)?
        /// The first row of each organization that has one.
        var rows: [Row] = []
    }

    private static let rowsPerStep: Int64 = 512

    let tables: Tables
    let db: any SQLConnection

    /// - Parameters:
    ///   - number: of the part, counted from 0.
    ///   - last: the last key that was checked in this part.
    func step(_ number: Int64, after last: Int64) throws -> Outcome {
        let parts = tables.parts
        guard db.dialect.engine == .sqlite, let place = Int(exactly: number), parts.indices.contains(place) else {
            return Outcome()
        }
        let part = parts[place]
        let (end, isLast) = try end(of: Self.table(of: part), after: last)
        let following: (Int64, Int64) = (number + 1, .min)
        guard let end else { return Outcome(next: following) }
        let rows = try db.statement(Self.question(of: part)).all(last, end) { row in
            Row(finding: Self.finding(part, row.integer(0)), organization: row.optionalInteger(1))
        }
        return Outcome(next: isLast ? following : (number, end), rows: rows)
    }

    /// The last row of a step, `nil` if there are no more; and whether it is the last of all. Rows that are stored
    /// during the check are left to the next check.
    private func end(of table: IndexedTable, after last: Int64) throws -> (row: Int64?, isLast: Bool) {
        let key = table.key
        let found = try db.statement(
            """
            SELECT max(\(key)), count(*)
            FROM (SELECT \(key) FROM \(table.name) NOT INDEXED WHERE \(key) > ? ORDER BY \(key) LIMIT ?)
            """
        ).first(last, Self.rowsPerStep) { (row: $0.optionalInteger(0), count: $0.integer(1)) }
        return (found?.row, (found?.count ?? 0) < Self.rowsPerStep)
    }

    private static func table(of part: Part) -> IndexedTable {
        switch part {
        case .consents: .consents
        case .decisions: .decisions
        case .accesses: .accesses
        case .recordsOfRecipients, .recipients: .recipients
        case .messages: .messages
        case .purposes: .purposes
        case .interactions: .interactions
        case .consentRequests: .consentRequests
        }
    }

    /// Finds a row of each organization that fails the check, behind one key and up to another: its key, the organization.
    private static func question(of part: Part) -> String {
        part == .recordsOfRecipients ? recordsOfRecipients : table(of: part).question
    }

    private static func finding(_ part: Part, _ key: Int64) -> LedgerInconsistency.Finding {
        switch part {
        case .consents, .recordsOfRecipients: .row(LedgerRowName(.consent, key), entry: nil, .index)
        case .decisions: .row(LedgerRowName(.decision, key), entry: nil, .index)
        case .accesses: .row(LedgerRowName(.access, key), entry: nil, .index)
        case .messages: .derived(.message(String(UInt64(bitPattern: key), radix: 16), .index))
        case .recipients, .purposes, .interactions, .consentRequests:
            .derived(.index(table: table(of: part).name))
        }
    }

    private static let recordsOfRecipients = """
        SELECT min(i.id), i.organization FROM recipients r CROSS JOIN consents i INDEXED BY consents_in_force
            ON i.organization = r.organization AND i.recipient = r.number
        WHERE r.number > ? AND r.number <= ? AND NOT EXISTS (
            SELECT 1 FROM consents t NOT INDEXED
            WHERE i.organization = t.organization AND i.recipient IS t.recipient AND i.purpose = t.purpose
                AND i.occurred_at = t.occurred_at AND i.ends_tracking = t.ends_tracking AND i.id = t.id
                AND i.state = t.state AND i.valid_until IS t.valid_until
        ) GROUP BY i.organization ORDER BY 1
        """
}
