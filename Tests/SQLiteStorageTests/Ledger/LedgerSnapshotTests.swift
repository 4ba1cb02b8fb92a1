import Consent
import Identifiers
import Ledger
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// How many snapshots a start takes of ledgers that have begun: readers of links wait for them.
@Suite struct LedgerSnapshotTests {
    @Test("one snapshot shows which ledgers have begun, and one each the head of a ledger")
    func few() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.ports.record(.given, for: .bo, in: fixture.ports.globex)
            let stores = fixture.storage.stores
            let noting = NotingDatabase(fixture.storage.database)
            let ledgers = SQLLedgerStore(
                GuardedDatabase(database: noting, ledgers: stores.ledgers.ledgers), hasher: stores.ledgers.hasher)
            let begun = try await ledgers.begin(at: .noon)
            #expect(Set(begun) == [fixture.ports.acme, fixture.ports.globex])
            #expect(noting.take().count == 1)
            for id in begun {
                #expect(try await ledgers.head(of: id)?.head == stores.ledgers.head(of: id)?.head)
                #expect(noting.take().count == 1)
            }
            #expect(try await ledgers.head(of: OrganizationID("nobody")) == nil)
        }
    }
}
