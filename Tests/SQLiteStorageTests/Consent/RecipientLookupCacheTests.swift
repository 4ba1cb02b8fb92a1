import Consent
import Identifiers
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

@Suite struct RecipientLookupCacheTests {
    @Test("what was looked up for decisions is kept, however often others are asked about without any")
    func undecided() async throws {
        try await withSQLite { fixture in
            let (ports, database) = (fixture.ports, fixture.storage.database)
            try await ports.record(.given, for: .ana)
            let asked = RecipientLookupCache()
            let store = SQLConsentStore(
                GuardedDatabase(database: database, ledgers: CommittedLedgers()),
                hashing: RecipientHashing(
                    hasher: RecipientHasher(key: SQLiteFixture.erasureKey), comparisons: RecipientComparisons(database)),
                asked: asked, found: FoundReferences())
            let statuses = try await store.statuses(of: [.ana], for: .tracking, in: ports.acme, at: .noon)
            for _ in 0..<20 {
                let shown = try await store.statusesForPreview(of: [.ana], for: [.tracking], in: ports.acme, at: .noon)
                #expect(shown.statuses == statuses.statuses && shown.basis == statuses.basis)
                _ = try await store.statusesForPreview(of: [.bo], for: [.tracking], in: ports.acme, at: .noon)
            }
            func kept(_ recipient: RecipientID) -> Int {
                let decision = Decision(recipient: recipient, verdict: .trackingOff)
                return asked.take(for: [decision], in: ports.acme, asOf: statuses.basis.epoch)?.count ?? 0
            }
            #expect(kept(try .ana) == 1)
            #expect(kept(try .bo) == 0)
        }
    }
}
