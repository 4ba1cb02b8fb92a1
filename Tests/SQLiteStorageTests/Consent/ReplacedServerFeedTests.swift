import Consent
import Identifiers
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The feed of a server that was replaced and does not know it yet.
@Suite struct ReplacedServerFeedTests {
    @Test("a place that only its successor has is a place, and its reader is not sent back to the beginning")
    func placeOfSuccessor() async throws {
        try await TemporaryFolder.with { folder in
            try await withSQLite { fixture in
                let (ports, acme) = (fixture.ports, fixture.ports.acme)
                try await ports.record(.given, for: .ana)
                try await fixture.storage.copy(into: folder.path) {}
                let before = try SQLiteFixture(folder)
                try await ports.record(.withdrawn, for: .ana)
                let given = try await ports.record(.given, for: .bo)
                let items = try #require(try await ports.consents.items(after: nil, limit: 9, in: acme))
                #expect(items.count == 3)

                let database = NodeDatabase(fixture.storage.database, replaced: before.storage.database)
                let store = SQLConsentStore(
                    GuardedDatabase(database: database, ledgers: CommittedLedgers()),
                    hashing: RecipientHashing(
                        hasher: RecipientHasher(key: SQLiteFixture.erasureKey),
                        comparisons: RecipientComparisons(database)),
                    asked: RecipientLookupCache(), found: FoundReferences())
                let kept = items[1].position
                #expect(try await store.items(after: kept, limit: 9, in: acme) == [items[2]])
                let foreign = ConsentFeedPosition.entry(9, mark: given.id.rawValue)
                #expect(try await store.items(after: foreign, limit: 9, in: acme) == nil)
                try before.storage.close()
            }
        }
    }
}
