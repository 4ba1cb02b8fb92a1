import Identifiers
import Testing

@testable import HTTPAPI

/// Names of organizations whose ledger is lost: there is a checkpoint of it, and no database that has it.
@Suite struct FormerLedgerTests {
    private static let body = #"{"id":"acme","enforcement":"restrictive"}"#

    @Test("an organization is not made under the name of a lost ledger, however its checkpoint reads")
    func refused() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.checkpoints.write(Array("a checkpoint".utf8), of: try OrganizationID("acme"))
            let refused = try await listener.post("/v1/orgs", Self.body)
            #expect(refused.status == 409)
            #expect(refused["detail"]?.text.contains("checkpoints/acme.txt") == true, "\(refused.body)")
            #expect(try await listener.get("/v1/orgs/acme").status == 404)
            #expect(try await listener.get("/v1/orgs")["organizations"]?.items == [])
            try await listener.organization("other")
        }
    }

    @Test("an organization that is there has its name taken, although there is a checkpoint of it")
    func taken() async throws {
        try await PrivateListenerFixture.with { listener in
            try await listener.organization()
            try await listener.checkpoints.write(Array("a checkpoint".utf8), of: try OrganizationID("acme"))
            let taken = try await listener.post("/v1/orgs", Self.body)
            #expect(taken.status == 409)
            #expect(taken["detail"]?.text == "There is an organization with this id already.", "\(taken.body)")
        }
    }
}
