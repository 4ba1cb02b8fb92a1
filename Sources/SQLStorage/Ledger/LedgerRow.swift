import Identifiers
import SQL

/// The row of a ledger.
enum LedgerRow {
    static func origin(of organization: Int64, _ db: any SQLConnection) throws -> String? {
        try db.statement("SELECT origin FROM ledgers WHERE organization = ?").first(organization) { $0.text(0) }
    }

    /// - Returns: whether the ledger was begun by this call.
    static func begin(of organization: Int64, named id: OrganizationID, host: String, _ db: any SQLConnection) throws
        -> Bool
    {
        try db.statement(
            "INSERT INTO ledgers (organization, origin) VALUES (?, ?) ON CONFLICT (organization) DO NOTHING"
        ).changes(organization, "\(host)/\(id)") > 0
    }

    static func checkpoint(of organization: Int64, _ db: any SQLConnection) throws -> String? {
        try db.statement("SELECT checkpoint FROM ledgers WHERE organization = ?")
            .first(organization) { $0.optionalText(0) } ?? nil
    }

    static func keep(checkpoint: String, of organization: Int64, _ db: any SQLConnection) throws {
        try db.statement("UPDATE ledgers SET checkpoint = ? WHERE organization = ?").run(checkpoint, organization)
    }
}
