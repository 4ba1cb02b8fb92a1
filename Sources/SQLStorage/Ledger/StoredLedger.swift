package import Identifiers
package import Ledger
package import SQL

/// A ledger as its rows and tiles say, whether or not a node has sealed it (``LedgerSeals``), for an operator who
/// decides whether its newest entries count.
package struct StoredLedger: Sendable {
    private let number: Int64
    private let id: OrganizationID
    /// The name of the log and of its key.
    package let origin: String
    /// The signed note in the database; `nil` if there is none.
    package let checkpoint: String?
    /// Computed from the rows and the whole tiles, not from the stored edge.
    package let head: TreeHead
    package let isSealed: Bool
    private let frontier: TreeFrontier

    /// Must be called inside a snapshot or a write.
    /// - Returns: `nil` if there is no such organization.
    /// - Throws: `LedgerInconsistency` if the ledger has no row, or one of its newest rows cannot be read;
    ///   `StorageError.unreadable` if a tile is missing.
    package static func load(
        _ id: OrganizationID, _ seals: LedgerSeals, _ db: any SQLConnection
    ) throws -> StoredLedger? {
        guard let number = try OrganizationRow.number(ifAny: id, db) else { return nil }
        guard let origin = try LedgerRow.origin(of: number, db) else {
            throw LedgerInconsistency(id, .derived(.ledger))
        }
        var unreadable: LedgerInconsistency?
        let frontier = try LedgerTree.load(number, db) { row, leaf in
            unreadable = unreadable ?? LedgerInconsistency(id, .row(row, entry: leaf, .unreadable))
        }.frontier
        if let unreadable { throw unreadable }
        var hasher = TreeHasher()
        let head = frontier.head(&hasher)
        let edge = try LedgerFrontierRow.load(number, size: head.size, db)
        let isSealed = edge.map { $0.isSealed(of: id, seals) && $0.frontier?.head(&hasher) == head } ?? false
        return StoredLedger(
            number: number, id: id, origin: origin, checkpoint: try LedgerRow.checkpoint(of: number, db), head: head,
            isSealed: isSealed || head.size == 0, frontier: frontier)
    }

    /// Where the ledger does not continue a signed tree; `nil` if it does. In the same snapshot as
    /// ``load(_:_:_:)``.
    package func inconsistency(with signed: TreeHead, _ db: any SQLConnection) throws -> LedgerInconsistency? {
        do {
            return try LedgerCheck(organization: number, db).finding(against: signed)
                .map { LedgerInconsistency(id, $0) }
        } catch StorageError.unreadable {
            return LedgerInconsistency(id, .derived(.runs(0)))
        }
    }

    /// Where the entries behind a signed tree, as their rows say, are not those of ``head``; `nil` if they are. Without
    /// this, rows could be shown to an operator while the head has the hashes of others. In the same snapshot as
    /// ``load(_:_:_:)``.
    ///
    /// - Parameter signed: a tree that the ledger continues (``inconsistency(with:_:)``); `nil` if none was signed.
    package func inconsistency(behind signed: TreeHead?, _ db: any SQLConnection) throws -> LedgerInconsistency? {
        do {
            return try LedgerCheck(organization: number, db).finding(behind: signed)
                .map { LedgerInconsistency(id, $0) }
        } catch StorageError.unreadable {
            return LedgerInconsistency(id, .derived(.runs(signed?.size ?? 0)))
        }
    }

    /// The entries from leaf `first` on, at most `count`, without those whose rows cannot be read. In the same snapshot
    /// as ``load(_:_:_:)``.
    package func entries(from first: UInt64, count: Int, _ db: any SQLConnection) throws -> [LedgerItem] {
        var items: [LedgerItem] = []
        try LedgerRows(number, db).forEach(from: first, count: count, unreadable: { _, _ in }) { location, rendered in
            items.append(location.item(&rendered))
        }
        return items
    }

    /// Seals this state. In the same write as ``load(_:_:_:)``.
    package func seal(_ seals: LedgerSeals, _ db: any SQLConnection) throws {
        try LedgerFrontierRow.keep(frontier, of: number, named: id, seals, db)
    }
}
