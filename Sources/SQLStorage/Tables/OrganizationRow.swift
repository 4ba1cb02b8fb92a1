import Consent
import Identifiers
import SQL

/// The values of an organization that the other stores need.
struct OrganizationRow: Hashable {
    let number: Int64
    let enforcement: Enforcement
    let epoch: OrganizationEpoch
    let comparison: RecipientComparison
    let honorsGPC: Bool

    /// - Returns: `nil` when there is no such organization.
    static func find(_ id: OrganizationID, _ db: any SQLConnection) throws -> OrganizationRow? {
        try db.statement(
            """
            SELECT number, enforcement,
                \(KeptCount.beginningAgain("erasures"))
                    + (SELECT count(*) FROM enforcements WHERE organization = organizations.number),
                identifiers, honors_gpc
            FROM organizations WHERE id = ?
            """
        )
        .first(id.description) { row in
            OrganizationRow(
                number: row.integer(0),
                enforcement: try Enforcement(code: row.integer(1)),
                epoch: OrganizationEpoch(rawValue: row.integer(2)),
                comparison: try RecipientComparison(code: row.integer(3)),
                honorsGPC: row.bool(4)
            )
        }
    }

    /// Only the number, which is readable even if other values of the row are not.
    /// - Throws: ``RowError/unknownOrganization``
    static func number(of id: OrganizationID, _ db: any SQLConnection) throws -> Int64 {
        guard let number = try number(ifAny: id, db) else { throw RowError.unknownOrganization }
        return number
    }

    /// - Returns: `nil` when there is no such organization.
    static func number(ifAny id: OrganizationID, _ db: any SQLConnection) throws -> Int64? {
        try db.statement("SELECT number FROM organizations WHERE id = ?").first(id.description) { $0.integer(0) }
    }

    /// - Throws: ``RowError/unknownOrganization``
    static func require(_ id: OrganizationID, _ db: any SQLConnection) throws -> OrganizationRow {
        guard let row = try find(id, db) else { throw RowError.unknownOrganization }
        return row
    }
}
