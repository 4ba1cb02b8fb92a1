import GRDB
import Identifiers
import SQLiteFiles

/// The row of a ledger.
enum LedgerRow {
    static func origin(of organization: Int64, _ db: Database) throws -> String? {
        try db.statement("SELECT origin FROM ledgers WHERE organization = ?").first(organization) { $0.text(0) }
    }

    /// - Returns: whether it begins now.
    static func begin(of organization: Int64, named id: OrganizationID, host: String, _ db: Database) throws -> Bool {
        try db.statement("INSERT OR IGNORE INTO ledgers (organization, origin) VALUES (?, ?)")
            .run(organization, "\(host)/\(id)")
        return db.changesCount > 0
    }

    static func checkpoint(of organization: Int64, _ db: Database) throws -> String? {
        try db.statement("SELECT checkpoint FROM ledgers WHERE organization = ?")
            .first(organization) { $0.optionalText(0) } ?? nil
    }

    static func keep(checkpoint: String, of organization: Int64, _ db: Database) throws {
        try db.statement("UPDATE ledgers SET checkpoint = ? WHERE organization = ?").run(checkpoint, organization)
    }
}
