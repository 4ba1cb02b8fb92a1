import Consent
import GRDB
import Identifiers
import Ledger
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What is answered from an index alone is held to the table that has the entries.
@Suite struct ChangedIndexTests {
    @Test(
        "a row that is missing in an index, or is in it alone, is found and closes its own ledger alone",
        arguments: [
            ("consents_in_force", "DELETE FROM consents WHERE state = 3"),
            ("consents_in_force", "UPDATE consents SET state = 1 WHERE state = 3"),
            ("consents_in_force", "UPDATE consents SET valid_until = 9 WHERE state = 3"),
            (
                "consents_in_force",
                """
                INSERT INTO consents SELECT id + 1000, organization, recipient, purpose, 1, 0, occurred_at + 1, recorded_at,
                    NULL, NULL, randomblob(16) FROM consents WHERE state = 3
                """
            ),
            ("decisions_by_recipient", "DELETE FROM decisions WHERE organization = 1"),
            ("accesses_by_recipient", "DELETE FROM accesses WHERE organization = 1"),
        ])
    func changed(_ index: String, _ statement: String) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await ports.record(.given, for: .ana)
            try await ports.record(.withdrawn, for: .ana)
            try await ports.record(.given, for: .bo, in: ports.globex)
            try await ports.look(AccessorName(key: "17"), at: .consents, "first")
            try await ports.decide([(.ana, .consentWithdrawn)], of: ports.message())
            #expect(try await findings(fixture).isEmpty)
            try fixture.storage.close()
            try change(fixture, index, by: statement)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try await findings(reopened)
            #expect(found.map(\.organization) == [ports.acme])
            #expect("\(found)".contains("is not the same in its table and in an index of the database"))
            try reopened.storage.close()
        }
    }

    /// Changes a table together with one of its indexes, and then the table back: the index stays changed.
    private func change(_ fixture: SQLiteFixture, _ index: String, by statement: String) throws {
        let table = index.prefix { $0 != "_" }
        let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
        try file.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE kept AS SELECT * FROM \(table);
                    CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '\(index)';
                    """)
            try db.execute(sql: statement)
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    DELETE FROM sqlite_schema WHERE name = '\(index)';
                    PRAGMA writable_schema = RESET;
                    """)
            try db.execute(sql: "DELETE FROM \(table)")
            try db.execute(sql: "INSERT INTO \(table) SELECT * FROM kept")
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    INSERT INTO sqlite_schema SELECT * FROM hidden;
                    PRAGMA writable_schema = RESET;
                    """)
        }
        try file.close()
    }
}
