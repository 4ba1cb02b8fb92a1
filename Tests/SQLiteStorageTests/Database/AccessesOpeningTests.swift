import Consent
import GRDB
import Identifiers
import Organizations
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// The main file of the version in which no look at a recipient was recorded.
@Suite struct AccessesOpeningTests {
    @Test("an organization made before records no looks through the API until it asks for it, and its ledger goes on")
    func version() async throws {
        try await withSQLite { fixture in
            let given = try await fixture.ports.record(.given, for: .ana)
            let before = try await fixture.ports.organizations.organization(fixture.ports.acme)
            try await fixture.makeOld(before: Schema.accesses)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let found = try await ports.organizations.organization(ports.acme)
            #expect(found == before && found?.recordsAccess == false)
            let access = try await ports.look(.operator, at: .timeline, "the first one")
            #expect(try await ports.looks() == [access])
            let items = try await ports.consents.items(after: nil, limit: 9, in: ports.acme)
            #expect(try items?.map(\.content) == [.recorded(given, recipient: .ana)])
            try await ports.checkTree()
            try reopened.storage.close()
        }
    }
}
