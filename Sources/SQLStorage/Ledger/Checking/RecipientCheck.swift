import Cryptography
import Identifiers
import Ledger
import SQL

/// Checks that the identifier of each recipient leads, by its hash, to the recipient's row, and that the row has the
/// reference that links carry.
struct RecipientCheck: TableCheck {
    private static let recipientsPerStep: Int64 = 256

    let hasher: RecipientHasher
    let db: any SQLConnection

    func step(from next: Int64, owner: (Int64) throws -> OrganizationID?) throws -> TableOutcome {
        let rows = try db.statement(
            "SELECT number, organization, identifier, reference FROM recipients WHERE number >= ? ORDER BY number LIMIT ?"
        ).all(next, Self.recipientsPerStep) { row in
            let number = row.integer(0)
            return (
                number: number, organization: try row.ifReadable { row.integer(1) }, isErased: row.isNull(2),
                identifier: try row.ifReadable { try row.recipient(2) } ?? nil,
                hasReference: try row.ifReadable { try row.reference(3) } != nil
            )
        }
        let lookup = try RecipientLookup(db)
        for row in rows where !row.isErased {
            // The check of the rows finds a recipient who is not of the organization that has entries about them.
            guard let organization = row.organization, let id = try owner(organization) else { continue }
            guard let identifier = row.identifier, row.hasReference,
                try lookup.readable(hash(of: identifier, in: id))?.recipient == row.number
            else {
                return .after(row.number, finding: LedgerInconsistency(id, .derived(.recipient(row.number))))
            }
        }
        let last = rows.count == Int(Self.recipientsPerStep) ? rows.last?.number : nil
        return last.map { .after($0) } ?? TableOutcome()
    }

    private func hash(of identifier: RecipientID, in organization: OrganizationID) throws -> HMACSHA256.Tag {
        let comparison = try UnreadableOrganization.named(organization) {
            try OrganizationRow.require(organization, db)
        }.comparison
        return try hasher.person(named: identifier, in: organization, by: comparison).hash
    }
}
