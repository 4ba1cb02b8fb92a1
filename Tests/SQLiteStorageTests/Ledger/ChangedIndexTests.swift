import Consent
import GRDB
import Identifiers
import Interactions
import Ledger
import Messages
import SQL
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What is found or answered by an index is held to the table that has the entries.
@Suite struct ChangedIndexTests {
    /// A statement on a table that one of its indexes keeps, while the table is put back.
    struct Change: Sendable, CustomTestStringConvertible {
        let table: String
        let index: String
        let statement: String

        init(_ table: String, _ index: String, _ statement: String? = nil) {
            self.table = table
            self.index = index
            self.statement = statement ?? "DELETE FROM \(table) WHERE organization = 1"
        }

        var testDescription: String { "\(index): \(statement)" }
    }

    private static let changes = [
        Change("consents", "consents_in_force", "DELETE FROM consents WHERE state = 3"),
        Change("consents", "consents_in_force", "UPDATE consents SET state = 1 WHERE state = 3"),
        Change("consents", "consents_in_force", "UPDATE consents SET valid_until = 9 WHERE state = 3"),
        Change(
            "consents", "consents_in_force",
            """
            INSERT INTO consents SELECT id + 1000, organization, recipient, purpose, 1, 0, occurred_at + 1, recorded_at,
                NULL, NULL, randomblob(16) FROM consents WHERE state = 3
            """),
        Change("consents", "consents_not_given", "DELETE FROM consents WHERE state <> 1"),
        Change("decisions", "decisions_by_recipient"),
        Change("decisions", "decisions_by_organization"),
        Change("accesses", "accesses_by_recipient"),
        Change("accesses", "accesses_by_organization"),
        Change("accesses", "accesses_by_who"),
        Change("recipients", "recipients_erased"),
        Change("messages", "messages_listed"),
        Change(
            "message_names", "message_names_by_name",
            "UPDATE message_names SET name = x'21' WHERE organization = 1"),
        Change("interactions", "interactions_by_recipient"),
        Change("interactions", "interactions_by_organization"),
        Change("interactions", "interactions_by_message"),
        Change("interactions", "interactions_of_person"),
        Change("consent_requests", "consent_requests_by_recipient"),
        Change("consent_requests", "consent_requests_by_organization"),
    ]

    @Test(
        "a row that is missing in an index, or is in it alone, is found and closes its own ledger alone",
        arguments: changes)
    func changed(_ change: Change) async throws {
        try await withFilled { fixture in
            try keep(change, fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try await findings(reopened)
            #expect(found.map(\.organization) == [fixture.ports.acme])
            #expect("\(found)".contains("is not the same in its table and in an index of the database"))
            try reopened.storage.close()
        }
    }

    @Test("a run that is missing in an index is found", arguments: ["ledger_runs_by_row", "ledger_runs_of_changes"])
    func changedRuns(_ index: String) async throws {
        try await withFilled { fixture in
            try keep(Change("ledger_runs", index), fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try await findings(reopened)
            #expect(found.map(\.organization) == [fixture.ports.acme])
            // The look for rows without entries and the count of what was erased use the indexes, too, and may come first.
            let told = ["do not lead to entry", "is in no entry of the ledger", "its erasure entries account for 0"]
            #expect(told.contains { "\(found)".contains($0) }, "\(found)")
            try reopened.storage.close()
        }
    }

    @Test(
        "an index of purposes that was changed makes no record about one purpose one about another, or none",
        arguments: [exchange("name", "'tracking'", "'newsletter'"), "DELETE FROM changed WHERE name = 'tracking'"])
    func changedPurposes(_ statement: String) async throws {
        try await withFilled { fixture in
            try exchangeIndex(of: "purposes", by: statement, fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            await #expect(throws: StorageError.unreadable) { _ = try await reopened.ports.status(of: .ana) }
            let found = try await findings(reopened)
            #expect(found.map(\.organization) == [fixture.ports.acme, fixture.ports.globex])
            try reopened.storage.close()
        }
    }

    @Test("a purpose that is taken from its index while the storage is open is not taken for a new one")
    func changedPurposesWhileOpen() async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await ports.record(.withdrawn, for: .ana)
            #expect(try await ports.status(of: .ana, for: Purpose("newsletter")) == .nothing)
            try await ports.record(.given, for: .ana, purpose: try Purpose("newsletter"))
            try exchangeIndex(of: "purposes", by: "DELETE FROM changed", fixture)
            for purpose in [Purpose.tracking, try Purpose("newsletter")] {
                await #expect(throws: StorageError.unreadable) {
                    _ = try await ports.status(of: .ana, for: purpose)
                }
            }
        }
    }

    @Test("an index of messages that was changed leads to no other message's link and purpose")
    func changedMessages() async throws {
        try await withFilled { fixture in
            let digests = ["ASC", "DESC"].map { "(SELECT digest FROM messages ORDER BY id \($0) LIMIT 1)" }
            try exchangeIndex(of: "messages", by: Self.exchange("digest", digests[0], digests[1], by: "x'00'"), fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            await #expect(throws: UnreadableMessage.self) { _ = try await reopened.ports.message() }
            #expect(reopened.storage.stores.ledgers.inconsistencies.map(\.organization) == [fixture.ports.acme])
            try reopened.storage.close()
            let again = try SQLiteFixture(fixture.folder)
            let found = try await findings(again)
            #expect("\(found)".contains("is not the same in its table and in an index of the database"))
            try again.storage.close()
        }
    }

    @Test(
        "an index of references or of organizations that was changed is found",
        arguments: [
            ("recipients", "UPDATE changed SET reference = reference + 1"),
            ("organizations", exchange("id", "'acme'", "'globex'")),
            ("organizations", "DELETE FROM changed"),
        ])
    func changedNames(_ table: String, _ statement: String) async throws {
        try await withFilled { fixture in
            try exchangeIndex(of: table, by: statement, fixture)
            let reopened = try SQLiteFixture(fixture.folder)
            let found = try await findings(reopened)
            #expect(found.map(\.organization) == [fixture.ports.acme, fixture.ports.globex])
            #expect("\(found)".contains("a row of \(table)"))
            try reopened.storage.close()
        }
    }

    /// Calls `body` with a closed storage in which everything is that these tests change.
    private func withFilled(_ body: (SQLiteFixture) async throws -> Void) async throws {
        try await withSQLite { fixture in
            let ports = fixture.ports
            try await ports.record(.given, for: .ana)
            try await ports.record(.withdrawn, for: .ana)
            try await ports.record(.given, for: .ana, purpose: try Purpose("newsletter"))
            try await ports.record(.given, for: .bo, in: ports.globex)
            try await ports.look(AccessorName(key: "17"), at: .consents, "first")
            let message = try await ports.message()
            _ = try await ports.message("news", purpose: try Purpose("newsletter"))
            try await ports.decide([(.ana, .consentWithdrawn)], of: message)
            let cy = try RecipientID("cy@example.com")
            let reference = try await ports.reference(of: cy, message: message)
            try await ports.interactions.store([.click(1, message, reference)], at: .noon)
            _ = try await ports.request(cy, at: .noon)
            try await ports.record(.given, for: .bo)
            _ = try await ports.consents.erase(.bo, in: ports.acme)
            #expect(try await findings(fixture).isEmpty)
            try fixture.storage.close()
            try await body(fixture)
        }
    }

    /// Changes a table together with one of its indexes, and then the table back: the index stays changed.
    private func keep(_ change: Change, _ fixture: SQLiteFixture) throws {
        let (table, index) = (change.table, change.index)
        let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
        try file.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    CREATE TEMP TABLE kept AS SELECT * FROM \(table);
                    CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '\(index)';
                    """)
            try db.execute(sql: change.statement)
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

    /// Replaces the index that the first UNIQUE of a table has by that of a copy, which the statement changed.
    private func exchangeIndex(of table: String, by statement: String, _ fixture: SQLiteFixture) throws {
        let file = try DatabaseQueue(path: fixture.folder.path(of: SQLiteStorage.fileName))
        try file.writeWithoutTransaction { db in
            let made = try String.fetchOne(db, sql: "SELECT sql FROM sqlite_schema WHERE name = '\(table)'")
            try db.execute(sql: try #require(made).replacing("CREATE TABLE \(table)", with: "CREATE TABLE changed"))
            try db.execute(sql: "INSERT INTO changed SELECT * FROM \(table)")
            try db.execute(sql: statement)
            let both = "('sqlite_autoindex_\(table)_1', 'sqlite_autoindex_changed_1')"
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET rootpage =
                        (SELECT sum(rootpage) FROM sqlite_schema WHERE name IN \(both)) - rootpage WHERE name IN \(both);
                    PRAGMA writable_schema = RESET;
                    """)
            try db.execute(sql: "DROP TABLE changed")
        }
        try file.close()
    }

    /// Statements that exchange two values of a column that takes each once.
    private static func exchange(
        _ column: String, _ one: String, _ other: String, by way: String = "'~'"
    ) -> String {
        """
        UPDATE changed SET \(column) = \(way) WHERE \(column) = \(one);
        UPDATE changed SET \(column) = \(one) WHERE \(column) = \(other);
        UPDATE changed SET \(column) = \(other) WHERE \(column) = \(way);
        """
    }
}
