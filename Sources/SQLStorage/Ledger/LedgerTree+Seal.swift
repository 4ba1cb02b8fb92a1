import Identifiers
import Ledger
import SQL

extension LedgerTree {
    /// The present tree, for appending to it and for signing it.
    ///
    /// - Parameter isDemanded: whether seals were demanded (``LedgerSeals/areDemanded``) before the transaction or the
    ///   snapshot began.
    static func current(
        _ organization: Int64, named id: OrganizationID, _ seals: LedgerSeals?, isDemanded: Bool,
        _ db: any SQLConnection
    ) throws -> LedgerTree {
        guard db.dialect.hasSeveralWriters else { return try load(organization, db) }
        let size = try size(of: organization, db)
        let row = try LedgerFrontierRow.load(organization, size: size, db)
        var tree =
            try row?.frontier.map { LedgerTree(organization: organization, frontier: $0) }
            ?? load(organization, db)
        if isDemanded, let seals { tree.isSealed = isSealed(row, of: size, in: id, seals) }
        return tree
    }

    /// Whether a node has sealed the present state of a ledger.
    static func isSealed(
        _ organization: Int64, named id: OrganizationID, _ seals: LedgerSeals, _ db: any SQLConnection
    ) throws -> Bool {
        let size = try size(of: organization, db)
        return isSealed(try LedgerFrontierRow.load(organization, size: size, db), of: size, in: id, seals)
    }

    /// A ledger without entries needs no seal.
    private static func isSealed(
        _ row: LedgerFrontierRow?, of size: UInt64, in id: OrganizationID, _ seals: LedgerSeals
    ) -> Bool {
        size == 0 || row?.isSealed(of: id, seals) ?? false
    }
}
