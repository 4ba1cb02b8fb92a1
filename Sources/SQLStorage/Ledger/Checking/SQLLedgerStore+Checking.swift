import Identifiers
package import Ledger
import SQL

extension SQLLedgerStore: LedgerChecking {
    package func check(from position: LedgerCheckPosition) async throws -> LedgerCheckStep {
        // Read before the snapshot begins, so that the snapshot has all that they have.
        let edges = ledgers.edges
        let step = try await database.read { [people, ledgers] db in
            let round = LedgerRound(
                db: db, people: people,
                edge: { organization in
                    if let known = edges[organization] { return LedgerRound.Edge(tree: known, isCommitted: true) }
                    let loaded = try LedgerTree.loadCommitted(organization, db)
                    return LedgerRound.Edge(tree: loaded.tree.edge, isCommitted: loaded.isCommitted)
                },
                isClosed: { ledgers.reason($0) != nil })
            return try round.step(from: position)
        }
        if let finding = step.finding { close(because: finding) }
        return step
    }

    package func entryCount() async throws -> UInt64 {
        try await database.read { db in
            let organizations = try db.statement("SELECT number FROM organizations").all { $0.integer(0) }
            return try organizations.reduce(0) { try $0 + LedgerTree.size(of: $1, db) }
        }
    }

    package func checkPosition() async throws -> LedgerCheckPosition? {
        try await database.read { db in
            let found = try db.statement("SELECT phase, organization, next FROM ledger_check").first { row in
                LedgerCheckPosition.Phase(rawValue: row.integer(0)).map {
                    LedgerCheckPosition(phase: $0, organization: row.integer(1), next: row.integer(2))
                }
            }
            return found ?? nil
        }
    }

    package func keep(_ position: LedgerCheckPosition?) async throws {
        try await database.write { writing in
            try writing.db.statement("DELETE FROM ledger_check").run()
            guard let position else { return }
            try writing.db.statement("INSERT INTO ledger_check (phase, organization, next) VALUES (?, ?, ?)")
                .run(position.phase.rawValue, position.organization, position.next)
        }
    }
}
