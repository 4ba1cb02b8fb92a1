import GRDB
import Organizations
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The main file of the version in which organizations had no page for consent, and asked nobody for it.
@Suite struct ConsentPageOpeningTests {
    @Test("an organization made before has no page for consent, and can be given one")
    func version() async throws {
        try await withSQLite { fixture in
            let before = try await fixture.ports.organizations.organization(fixture.ports.acme)
            try await fixture.makeOld(before: Schema.consentPage)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let found = try await ports.organizations.organization(ports.acme)
            #expect(found == before && found?.consentPage == nil && found?.askAgainAfterDays == 180)
            let page = try ConsentPageURL("https://shop.example/agree")
            let change = OrganizationChange(consentPage: .set(page))
            #expect(try await ports.organizations.change(ports.acme, by: change, at: .noon)?.consentPage == page)
            try reopened.storage.close()
        }
    }
}
