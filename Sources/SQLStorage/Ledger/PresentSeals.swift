import Ledger
package import SQL
import StoragePorts

/// Seals the ledgers as they are, those that no node has sealed. It knows which ones it has found or made sealed, so
/// that a second pass asks once for many ledgers.
package struct PresentSeals: Sendable {
    private struct Edge: Hashable {
        let size: Int64
        let seal: [UInt8]
    }

    private let seals: LedgerSeals
    private var whole: [Int64: Edge] = [:]
    /// Whether it has made a seal.
    package private(set) var hasSealed = false

    package init(_ seals: LedgerSeals) { self.seals = seals }

    /// Seals some ledgers, inside a write. One that cannot be read stays without a seal.
    ///
    /// - Parameters:
    ///   - last: the number of the organization behind which it begins.
    ///   - count: of organizations at most.
    /// - Returns: the number of the last one; `nil` if there are no further ones.
    package mutating func seal(after last: Int64, count: Int, _ db: any SQLConnection) throws -> Int64? {
        let organizations = try db.statement(
            """
            SELECT o.number, o.id, r.first_leaf, r.count, e.size, e.seal FROM organizations o
                LEFT JOIN LATERAL (
                    SELECT first_leaf, count FROM ledger_runs
                    WHERE organization = o.number ORDER BY first_leaf DESC LIMIT 1
                ) r ON true
                LEFT JOIN ledger_edges e ON e.organization = o.number
            WHERE o.number > ? ORDER BY o.number LIMIT ?
            """
        ).all(last, count) { row in
            let edge = row.isNull(4) || row.isNull(5) ? nil : Edge(size: row.integer(4), seal: row.bytes(5))
            return (
                number: row.integer(0), id: try row.organizationID(1, number: 0),
                // The ledger without entries needs no seal.
                end: row.isNull(2) ? 0 : row.integer(2) &+ row.integer(3), edge: edge
            )
        }
        for organization in organizations where organization.end != 0 {
            let (number, edge) = (organization.number, organization.edge)
            if let edge, edge.size == organization.end, whole[number] == edge { continue }
            do {
                whole[number] = try LedgerTree.isSealed(number, named: organization.id, seals, db) ? edge : nil
                guard whole[number] == nil else { continue }
                let frontier = try LedgerTree.current(number, db).frontier
                let seal = try LedgerFrontierRow.keep(frontier, of: number, named: organization.id, seals, db)
                whole[number] = Edge(size: Int64(frontier.size), seal: seal)
                hasSealed = true
            } catch StorageError.unreadable {
                // Nothing can be entered into it either.
            }
        }
        return organizations.last?.number
    }
}
