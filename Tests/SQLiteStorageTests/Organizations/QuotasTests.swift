import Consent
import GRDB
import Identifiers
import Interactions
import Organizations
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// How many interactions an organization has stored, which its quota is compared with.
@Suite struct QuotasTests {
    @Test("quotas are kept as they were set, and can be taken away")
    func kept() async throws {
        try await withSQLite { fixture in
            let (ports, quotas) = (fixture.ports, Quotas(requestsPerMinute: 60, interactions: 1000))
            let new = Organization(
                id: try OrganizationID("new"), name: "New", enforcement: .restrictive, quotas: quotas)
            _ = try await ports.organizations.create(new, firstKey: StorageUnderTest.key(9), at: .noon)
            #expect(try await ports.organizations.organization(new.id) == new)
            for quotas in [Quotas(requestsPerMinute: nil, interactions: 5), .unlimited] {
                _ = try await ports.organizations.change(new.id, by: OrganizationChange(quotas: quotas), at: .noon)
                #expect(try await ports.organizations.organization(new.id)?.quotas == quotas)
            }
        }
    }

    @Test("a file of the version before is counted when it is opened")
    func migration() async throws {
        try await withSQLite { fixture in
            let message = try await fixture.ports.message()
            let reference = try await fixture.ports.reference(of: .ana, message: message)
            try await fixture.ports.interactions.store([.click(1, message, reference)], at: .noon)
            try await fixture.makeOld(version: 6)
            let reopened = try SQLiteFixture(fixture.folder)
            #expect(try await reopened.storage.stores.interactions.count(in: reopened.ports.acme) == 1)
            #expect(try await reopened.storage.stores.interactions.count(in: reopened.ports.globex) == 0)
            try reopened.storage.close()
        }
    }

    @Test("a quota that no organization can have is taken for the nearest one")
    func forged() async throws {
        try await withSQLite { fixture in
            try await fixture.storage.database.write {
                try $0.db.execute(
                    sql: """
                        UPDATE organizations SET quota_requests = 9223372036854775807, quota_interactions = -1
                        WHERE id = 'acme'
                        """)
            }
            let nearest = Quotas(requestsPerMinute: 1_000_000_000, interactions: 1)
            #expect(try await fixture.ports.organizations.organization(fixture.ports.acme)?.quotas == nearest)
            #expect(try await fixture.ports.organizations.quotas() == [fixture.ports.acme: nearest])
        }
    }
}
