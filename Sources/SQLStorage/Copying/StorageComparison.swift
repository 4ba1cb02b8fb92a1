package import Ledger
import SQL

/// The result of comparing a storage with its copy.
package struct StorageComparison: Sendable {
    package struct Difference: Hashable, Sendable {
        package let name: String
        package let before: String
        package let after: String
    }

    /// The number of rows of all tables in the source.
    package let rows: Int
    package let otherTables: [Difference]
    package let ledgers: [ComparedLedger]
    package let otherLedgers: [Difference]

    package var isEqual: Bool { otherTables.isEmpty && otherLedgers.isEmpty }
}

/// The state of a ledger: the hash over all of its entries determines it.
package struct ComparedLedger: Hashable, Sendable {
    package let organization: String
    package let head: TreeHead
    let number: Int64
    let checkpoint: String?

    func with(_ head: TreeHead) -> ComparedLedger {
        ComparedLedger(organization: organization, head: head, number: number, checkpoint: checkpoint)
    }

    package var description: String { "\(head.size) entries, root \(head.root.text)" }

    static let all: @Sendable (any SQLConnection) throws -> [ComparedLedger] = { db in
        let organizations = try db.statement("SELECT number, id FROM organizations ORDER BY id")
            .all { ($0.integer(0), $0.text(1)) }
        return try organizations.map { number, name in
            var hasher = TreeHasher()
            return ComparedLedger(
                organization: name, head: try LedgerTree.load(number, db).frontier.head(&hasher), number: number,
                checkpoint: try LedgerRow.checkpoint(of: number, db))
        }
    }

    static func differences(_ before: [ComparedLedger], _ after: [ComparedLedger]) -> [StorageComparison.Difference] {
        let after = Dictionary(uniqueKeysWithValues: after.map { ($0.organization, $0) })
        return before.compactMap { ledger in
            guard ledger != after[ledger.organization] else { return nil }
            return StorageComparison.Difference(
                name: ledger.organization, before: ledger.description,
                after: after[ledger.organization]?.description ?? "none")
        }
    }
}
