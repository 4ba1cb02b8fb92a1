package import Identifiers
import Ledger
import SQL

extension SQLLedgerStore {
    package func decisions(
        at leaves: [UInt64], in organization: OrganizationID
    ) async throws -> [UInt64: DecisionID] {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return [:] }
            let lookup = LedgerIndexLookup(number, db)
            var found: [UInt64: DecisionID] = [:]
            for leaf in leaves {
                if let index = Int64(exactly: leaf) { found[leaf] = try lookup.decision(at: index) }
            }
            return found
        }
    }

    package func size(
        before instant: Timestamp, of size: UInt64, in organization: OrganizationID
    ) async throws -> UInt64 {
        try await database.read { db in
            guard let number = try OrganizationRow.number(ifAny: organization, db) else { return 0 }
            return UInt64(try LedgerIndexLookup(number, db).size(before: instant, of: Int64(clamping: size)))
        }
    }
}
