import Consent
import GRDB
import Identifiers

/// What the other stores need of an organization.
struct OrganizationRow: Hashable {
    let number: Int64
    let enforcement: Enforcement
    let erasures: ErasureCount

    /// - Returns: `nil` when there is no such organization.
    static func find(_ id: OrganizationID, _ db: Database) throws -> OrganizationRow? {
        try db.statement("SELECT number, enforcement, erasures FROM organizations WHERE id = ?")
            .first(id.description) { row in
                OrganizationRow(
                    number: row.integer(0),
                    enforcement: try Enforcement(code: row.integer(1)),
                    erasures: ErasureCount(rawValue: row.integer(2))
                )
            }
    }

    /// - Throws: ``StorageError/unknownOrganization``
    static func require(_ id: OrganizationID, _ db: Database) throws -> OrganizationRow {
        guard let row = try find(id, db) else { throw StorageError.unknownOrganization }
        return row
    }
}
