import Consent
import GRDB
import Identifiers
import Ledger
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The rows that say which rows the entries of a ledger are, changed behind a storage's back.
@Suite struct DamagedRunTests {
    /// Alternating decisions about two organizations: each has a run.
    private func fill(_ fixture: SQLiteFixture) async throws {
        let ports = fixture.ports
        let messages = [
            (ports.acme, try await ports.message()), (ports.globex, try await ports.message(in: ports.globex)),
        ]
        for _ in 0..<150 {
            for (organization, message) in messages {
                try await ports.decide([(.ana, .noConsentRecord)], of: message, in: organization)
            }
        }
    }

    @Test(
        "a pass comes to its end whatever runs say of themselves, and finds the organizations that are concerned",
        arguments: [
            ("UPDATE ledger_runs SET last_id = 0 WHERE organization = 1 AND kind = 1", ["acme"]),
            (
                """
                UPDATE ledger_runs SET last_id = 0 WHERE kind = 1 AND first_id IN (
                    SELECT first_id FROM ledger_runs WHERE kind = 1 ORDER BY first_id LIMIT 2 OFFSET 40)
                """, ["acme", "globex"]
            ),
            ("UPDATE ledger_runs SET last_id = 0", ["acme", "globex"]),
            ("UPDATE ledger_runs SET last_id = -9223372036854775808", ["acme", "globex"]),
            ("UPDATE ledger_runs SET last_id = 9223372036854775807 WHERE organization = 1", ["acme"]),
            ("UPDATE ledger_runs SET first_id = -first_id WHERE organization = 1 AND kind = 1", ["acme"]),
            ("DELETE FROM ledger_runs WHERE organization = 1 AND kind = 1", ["acme"]),
            ("DELETE FROM ledger_runs WHERE kind = 1", ["acme", "globex"]),
        ])
    func ends(_ statement: String, _ concerned: [String]) async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            var found: Set<String> = []
            var (position, steps) = (LedgerCheckPosition?.some(.start), 0)
            while let next = position, steps < 5_000 {
                let step = try await fixture.storage.stores.ledgers.check(from: next)
                if let finding = step.finding { found.insert(finding.organization.description) }
                (position, steps) = (step.next, steps + 1)
            }
            #expect(position == nil)
            #expect(found == Set(concerned))
        }
    }

    @Test("behind a row without an entry, those of other organizations are found, too")
    func strays() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            try await fixture.storage.database.write { writing in
                let columns = try writing.db.statement("SELECT name FROM pragma_table_info('decisions') WHERE cid > 0")
                    .all { $0.text(0) }.joined(separator: ", ")
                for organization in [1, 2] {
                    try writing.db.execute(
                        sql: """
                            INSERT INTO decisions (id, \(columns))
                            SELECT (SELECT max(id) + 1 FROM decisions), \(columns) FROM decisions
                            WHERE organization = \(organization) LIMIT 1
                            """)
                }
            }
            #expect(try await Set(findings(fixture).map(\.organization)) == [fixture.ports.acme, fixture.ports.globex])
        }
    }
}
