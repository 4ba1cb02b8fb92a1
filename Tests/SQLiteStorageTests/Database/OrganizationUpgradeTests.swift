import Consent
import Identifiers
import Organizations
import SQLiteFiles
import StorageContracts
import TestSupport
import Testing

@testable import SQLStorage
@testable import SQLiteStorage

/// Organizations that were made by earlier versions.
@Suite struct OrganizationUpgradeTests {
    @Test("an organization made before compares its recipients byte for byte, one made now by e-mail address")
    func identifiers() async throws {
        try await withSQLite { fixture in
            try await fixture.ports.record(.given, for: .ana)
            try await fixture.makeOld(version: 5)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            #expect(try await ports.organizations.organization(ports.acme)?.identifiers == .exact)
            let (small, capital) = (try RecipientID("ana@example.com"), try RecipientID("Ana@example.com"))
            #expect(try await ports.consents.history(of: small, in: ports.acme).count == 1)
            #expect(try await ports.consents.history(of: capital, in: ports.acme).isEmpty)
            let new = Organization(id: try OrganizationID("new"), name: "New", enforcement: .restrictive)
            _ = try await ports.organizations.create(new, firstKey: StorageUnderTest.key(9), at: .noon)
            try await ports.record(.given, for: capital, in: new.id)
            #expect(try await ports.consents.history(of: small, in: new.id).count == 1)
            try reopened.storage.close()
        }
    }

    @Test("an organization made before keeps what it kept, for ever too, and asks for no evidence")
    func evidenceBegins() async throws {
        try await withSQLite { fixture in
            try await fixture.makeOld(before: Schema.requiredEvidence)
            let reopened = try SQLiteFixture(fixture.folder)
            let ports = reopened.ports
            let before = try #require(try await ports.organizations.organization(ports.acme))
            #expect(before.retention == .forever)
            #expect(!before.requiresEvidence)
            let change = OrganizationChange(requiresEvidence: true)
            let changed = try await ports.organizations.change(ports.acme, by: change, at: .noon)
            #expect(changed?.requiresEvidence == true && changed?.retention == .forever)
            try reopened.storage.close()
        }
    }
}
