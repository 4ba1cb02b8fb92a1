import Consent
import GRDB
import Ledger
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What a pass over the ledgers finds in recorded accesses.
@Suite struct ChangedAccessTests {
    @Test(
        "an access that was changed, cut or added is found, and closes its own ledger alone",
        arguments: [
            "UPDATE accesses SET who = 'operator' WHERE id = (SELECT min(id) FROM accesses)",
            "UPDATE accesses SET who = 'nobody' WHERE id = (SELECT min(id) FROM accesses)",
            "UPDATE accesses SET what = 2", "UPDATE accesses SET what = 99", "UPDATE accesses SET reason = 'another'",
            "UPDATE accesses SET reason = NULL", "UPDATE accesses SET recipient = NULL",
            "UPDATE accesses SET recipient = (SELECT max(number) FROM recipients WHERE organization = 2)",
            "UPDATE accesses SET recipient = NULL, reason = NULL, salt = NULL", "UPDATE accesses SET organization = 2",
            "UPDATE accesses SET salt = randomblob(16)", "DELETE FROM accesses",
            "DELETE FROM accesses WHERE id = (SELECT max(id) FROM accesses)",
            """
            INSERT INTO accesses SELECT id + 1000, organization, who, what, recipient, reason, randomblob(16)
            FROM accesses ORDER BY id DESC LIMIT 1
            """,
        ])
    func changed(_ statement: String) async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            try await fixture.ports.look(AccessorName(key: "17"), at: .consents, "first")
            try await fixture.ports.look(AccessorName(key: "18"), at: .consents, "second")
            #expect(try await findings(fixture).isEmpty)
            try await fixture.storage.database.write { try $0.db.execute(sql: statement) }
            let found = try await findings(fixture)
            #expect(found.first?.organization == fixture.ports.acme)
            #expect(!found.map(\.organization).contains(fixture.ports.globex))
            await #expect(throws: LedgerInconsistency.self) {
                try await fixture.ports.look(.operator, at: .consents, "third")
            }
            try await fixture.ports.record(.withdrawn, for: .bo, in: fixture.ports.globex)
        }
    }
}
