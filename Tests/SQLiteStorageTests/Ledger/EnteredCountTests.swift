import Consent
import Identifiers
import Ledger
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct EnteredCountTests {
    private func sum(_ organization: OrganizationID, _ fixture: SQLiteFixture) throws -> Int64 {
        try fixture.storage.database.readNow { db in
            try EnteredCount.sum(of: .consents, in: OrganizationRow.number(of: organization, db), db)
        }
    }

    private func fill(_ fixture: SQLiteFixture) async throws {
        let ports = fixture.ports
        for recipient in [try RecipientID.ana, try .bo] {
            try await ports.record(.given, for: recipient)
            try await ports.record(.withdrawn, for: recipient)
            try await ports.record(.given, for: recipient, in: ports.globex)
        }
        _ = try await ports.consents.erase(.ana, in: ports.acme)
        _ = try await ports.consents.erase(.ana, in: ports.globex)
        _ = try await ports.consents.erase(.bo, in: ports.acme)
    }

    @Test("the events of an organization are counted by its runs, and no other is read")
    func runs() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            #expect(try sum(fixture.ports.acme, fixture) == 4)
            #expect(try sum(fixture.ports.globex, fixture) == 1)
            let plans = try fixture.storage.database.readNow { db in
                try db.plans { _ = try EnteredCount.sum(of: .consents, in: 1, db) }
            }
            let steps = plans.flatMap(\.steps)
            #expect(steps.contains { $0.hasPrefix("SEARCH e USING INTEGER PRIMARY KEY") }, "\(steps)")
            #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
        }
    }

    @Test("an entry counts once, for the last run that begins at it or before, and one that is in no run not at all")
    func forgedRuns() async throws {
        try await withSQLite { fixture in
            try await fill(fixture)
            let acme = fixture.ports.acme
            try await fixture.storage.database.write { writing in
                let number = try OrganizationRow.number(of: acme, writing.db)
                let least = try writing.db.statement("SELECT min(first_id) FROM ledger_runs WHERE kind = 3")
                let first = try least.first { $0.integer(0) } ?? 0
                // Has every event, and begins before all of them.
                try writing.db.statement(
                    "INSERT INTO ledger_runs (organization, \(LedgerRun.columns)) VALUES (?, ?, 9, 3, ?, ?)"
                ).run(number, Int64(1_000_000), first - 1, first + 1_000)
            }
            #expect(try sum(acme, fixture) == 4)
            try await fixture.storage.database.write { writing in
                try writing.db.statement("DELETE FROM ledger_runs WHERE kind = 3").run()
            }
            #expect(try sum(acme, fixture) == 0)
        }
    }
}
