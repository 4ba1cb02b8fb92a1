import Consent
import SQL
import StorageContracts
import StoragePorts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// What a comparison of a storage with its copy finds.
@Suite struct StorageComparisonTests {
    @Test(
        "a ledger whose last checkpoint was lost, or whose rows give another tree, is not the one that was copied",
        arguments: [
            """
            UPDATE ledgers SET checkpoint = NULL
            WHERE organization = (SELECT number FROM organizations WHERE id = 'acme')
            """,
            "UPDATE consents SET valid_until = recorded_at + 60000",
        ])
    func differences(_ change: String) async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            let source = fixture.storage.stores.database
            try await source.write { try $0.db.statement("UPDATE ledgers SET checkpoint = 'a checkpoint'").run() }
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            try await fixture.storage.copy(into: folder.path) {}
            let copy = try SQLiteFixture(folder)
            defer { copy.close() }

            let equal = try await StorageCopy(from: source, to: copy.storage).compare { _ in }
            #expect(equal.isEqual && equal.ledgers.map(\.organization) == ["acme", "globex"])

            try await copy.storage.stores.database.write { try $0.db.statement(change).run() }
            let changed = try await StorageCopy(from: source, to: copy.storage).compare { _ in }
            #expect(!changed.isEqual && changed.otherTables.isEmpty)
            #expect(Set(changed.otherLedgers.map(\.name)) == ["acme"])
        }
    }
}
