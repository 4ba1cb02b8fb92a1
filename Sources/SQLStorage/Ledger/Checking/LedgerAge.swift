import Consent
import Ledger
import SQL

/// Whether a ledger is as old as its organization: then every row of the organization has an entry. In data folders of
/// the first versions, ledgers began later.
enum LedgerAge {
    /// Whether a ledger has begun, whatever is left of it: its first entry is stored.
    static func hasBegun(_ organization: Int64, _ db: any SQLConnection) throws -> Bool {
        try firstEntry(of: organization, db) != nil
    }

    static func isOfOrganization(_ organization: Int64, _ db: any SQLConnection) throws -> Bool {
        let entry = try firstEntry(of: organization, db)
        let begun = try db.statement(
            "SELECT enforcement, since FROM enforcements WHERE organization = ? ORDER BY number LIMIT 1"
        ).first(organization) { row in
            LedgerEntry.enforcement(at: row.timestamp(1), try Enforcement(code: row.integer(0))).json
        }
        // The first entry carries the time since when its enforcement had applied, or the time when the ledger began.
        return entry != nil && entry == begun
    }

    private static func firstEntry(of organization: Int64, _ db: any SQLConnection) throws -> [UInt8]? {
        try db.statement(
            """
            SELECT entry FROM ledger_events
            WHERE organization = ? AND \(db.dialect.bytes("entry", contain: StoredEvent.Kind.enforcement.text))
            ORDER BY number LIMIT 1
            """
        ).first(organization) { $0.bytes(0) }
    }
}
