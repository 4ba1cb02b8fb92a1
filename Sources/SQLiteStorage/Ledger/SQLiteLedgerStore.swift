import GRDB
package import Identifiers
package import Ledger

/// Reads the ledgers in the main file.
package struct SQLiteLedgerStore: LedgerStore {
    private let database: SQLiteDatabase

    init(_ database: SQLiteDatabase) { self.database = database }

    package func head(of organization: OrganizationID) async throws -> LedgerHead? {
        try await read(organization) { tree, db in
            var hasher = TreeHasher()
            guard let origin = try LedgerRow.origin(of: tree.organization, db) else { return nil }
            return LedgerHead(origin: origin, head: tree.edge.head(&hasher))
        }
    }

    package func tile(_ place: Tile.Place, width: Int, in organization: OrganizationID) async throws -> Tile? {
        try await read(organization) { tree, db in try tree.tile(place, width: width, db) }
    }

    package func entries(
        from first: UInt64, count: Int, in organization: OrganizationID
    ) async throws -> [LedgerItem] {
        try await read(organization) { tree, db in
            var items: [LedgerItem] = []
            try LedgerRows(tree.organization, db).forEach(from: first, count: count) { place, rendered in
                items.append(place.item(&rendered))
            }
            return items
        } ?? []
    }

    package func entry(of decision: DecisionID, in organization: OrganizationID) async throws -> LedgerItem? {
        try await read(organization) { tree, db in
            try LedgerRows(tree.organization, db).item(.decision, Int64(decision.rawValue))
        }
    }

    package func entry(of consent: ConsentRecordID, in organization: OrganizationID) async throws -> LedgerItem? {
        try await read(organization) { tree, db in
            try LedgerRows(tree.organization, db).item(.consent, Int64(consent.rawValue))
        }
    }

    /// Runs `body` in a snapshot. It has all that the tree has: an edge is published when it is committed.
    ///
    /// - Returns: `nil` when there is no such organization.
    private func read<Value: Sendable>(
        _ id: OrganizationID, _ body: @escaping @Sendable (LedgerTree, Database) throws -> Value?
    ) async throws -> Value? {
        guard let row = try await database.read({ db in try OrganizationRow.find(id, db) }) else { return nil }
        let known = database.ledgers.edge(of: row.number)
        return try await database.read { db in
            let tree =
                if let known {
                    LedgerTree(organization: row.number, edge: known)
                } else {
                    try LedgerTree.load(row.number, db)
                }
            return try body(tree, db)
        }
    }
}
