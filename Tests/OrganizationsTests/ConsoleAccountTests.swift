import Identifiers
import Organizations
import Testing

@Suite struct ConsoleAccountTests {
    private func account(_ grants: Set<ConsoleGrant>) -> ConsoleAccount {
        ConsoleAccount(name: "a", origin: .provider, grants: grants)
    }

    @Test("a role in one organization is none in another, and none in the whole service")
    func oneOrganization() throws {
        let (acme, other) = (try OrganizationID("acme"), try OrganizationID("other"))
        let manager = account([ConsoleGrant(.manager, in: acme)])
        #expect(manager.has([.manager], in: acme))
        #expect(manager.has([.manager, .auditor], in: acme), "one of them is enough")
        #expect(!manager.has([.auditor], in: acme))
        #expect(!manager.has([.manager], in: other))
        #expect(!manager.has(Set(ConsoleRole.allCases), in: nil))
        #expect(!manager.isOperator)
    }

    @Test("the operator has every role, in each organization and in the whole service")
    func operates() throws {
        let acme = try OrganizationID("acme")
        let account = account([ConsoleGrant(.operator, in: nil)])
        #expect(account.isOperator && account.organizations.isEmpty)
        for role in ConsoleRole.allCases {
            #expect(account.has([role], in: acme) && account.has([role], in: nil))
        }
    }

    @Test("a grant is a role at an organization, and the operator's is at none; any other text is none")
    func texts() throws {
        #expect(ConsoleGrant("operator") == ConsoleGrant(.operator, in: nil))
        #expect(try ConsoleGrant("manager@acme") == ConsoleGrant(.manager, in: OrganizationID("acme")))
        for text in ["operator@acme", "operator@", "manager", "manager@", "@acme", "", "owner@acme", "manager@a@b"] {
            #expect(ConsoleGrant(text) == nil, "\(text)")
        }
    }
}
