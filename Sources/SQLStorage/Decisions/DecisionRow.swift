import Consent
import Identifiers
import Ledger
import SQL

/// Reads whole decisions.
enum DecisionRow {
    /// The decisions with these ids and those between, in their order.
    static func recorded(
        from first: DecisionID,
        through last: DecisionID,
        organization: Int64,
        _ db: any SQLConnection
    ) throws -> [RecordedDecision] {
        try db.statement(
            """
            SELECT d.id, d.reason, (SELECT reference FROM recipients WHERE number = d.recipient) FROM decisions d
            WHERE d.id BETWEEN ? AND ? AND d.organization = ? ORDER BY d.id
            """
        ).all(first, last, organization) { row in
            try row.readable(.decision, id: 0) {
                let (id, reason) = (try row.id(0, DecisionID.self), try DecisionReason(code: row.integer(1)))
                let reference = row.isNull(2) ? nil : try row.reference(2)
                return RecordedDecision(stored: id, reason: reason, reference: reference)
                    ?? RecordedDecision(forgotten: id, reason: reason)
            }
        }
    }

    static func find(_ id: Int64, organization: Int64, _ db: any SQLConnection) throws -> DecisionEntry? {
        try db.statement(selection(where: "d.id = ?", db.dialect)).first(id, organization, read: entry)
    }

    /// The decisions with these ids, in the order of the ids; with one query, if the engine has lists.
    static func find(_ ids: [Int64], organization: Int64, _ db: any SQLConnection) throws -> [DecisionEntry] {
        guard db.dialect.hasLists, ids.count > 1 else {
            return try ids.compactMap { try find($0, organization: organization, db) }
        }
        var found: [Int64: DecisionEntry] = [:]
        try db.statement(selection(where: "d.id = ANY(?)", db.dialect)).forEach(IntegerList(ids), organization) { row in
            found[row.integer(0)] = try entry(row)
            return true
        }
        return ids.compactMap { found[$0] }
    }

    private static func selection(where condition: String, _ dialect: SQLDialect) -> String {
        """
        SELECT d.id, (SELECT identifier FROM recipients WHERE number = d.recipient), d.message, p.name, d.reason,
            d.enforcement, d.consent, d.activity
        FROM decisions d \(dialect.joinRow(of: "messages", as: "m", where: "id", is: "d.message"))
            JOIN purposes p ON p.number = \(DecisionPurpose.number)
        WHERE \(condition) AND d.organization = ?
        """
    }

    private static func entry(_ row: SQLRow) throws -> DecisionEntry {
        try row.readable(.decision, id: 0) {
            DecisionEntry(
                id: try row.id(0),
                recipient: try row.recipient(1),
                message: try row.id(2),
                purpose: try row.purpose(3),
                activity: try TrackedActivity?(code: row.integer(7)),
                reason: try DecisionReason(code: row.integer(4)),
                enforcement: try Enforcement(code: row.integer(5)),
                consent: try row.optionalID(6)
            )
        }
    }
}
