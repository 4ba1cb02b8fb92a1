import Ledger
package import SQL

extension LedgerSeals {
    /// Seals the present state of some ledgers as it is, inside a write, unless a node has done so.
    ///
    /// - Parameters:
    ///   - last: the number of the organization behind which it begins.
    ///   - count: of organizations at most.
    /// - Returns: the number of the last one; `nil` if there are no further ones.
    /// - Throws: `StorageError.unreadable` if a ledger cannot be read.
    package func sealPresent(
        after last: Int64, count: Int, _ db: any SQLConnection
    ) throws -> Int64? {
        let organizations = try db.statement(
            "SELECT number, id FROM organizations WHERE number > ? ORDER BY number LIMIT ?"
        ).all(last, count) { (number: $0.integer(0), id: try $0.organizationID(1, number: 0)) }
        for organization in organizations
        where try !LedgerTree.isSealed(organization.number, named: organization.id, self, db) {
            let tree = try LedgerTree.current(organization.number, db)
            try LedgerFrontierRow.keep(tree.frontier, of: organization.number, named: organization.id, self, db)
        }
        return organizations.last?.number
    }
}
