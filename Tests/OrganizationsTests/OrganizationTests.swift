import Consent
import Identifiers
import Messages
import Organizations
import TestSupport
import Testing

@Suite struct OrganizationChangeTests {
    private func organization() throws -> Organization {
        Organization(
            id: try OrganizationID("acme"), name: "Acme", enforcement: .restrictive,
            targetHosts: [try TargetHostPattern("shop.example")], honorsGPC: false, identifiers: .exact,
            retention: Retention(interactionsDays: 3, decisionsDays: nil),
            quotas: Quotas(requestsPerMinute: 10, interactions: nil),
            consentPage: try ConsentPageURL("https://shop.example/tracking"))
    }

    /// Each setting alone, and what it makes of an organization.
    private func changes() throws -> [(name: String, change: OrganizationChange, apply: (inout Organization) -> Void)] {
        let hosts = [try TargetHostPattern("*.example.org")]
        let retention = Retention(interactionsDays: nil, decisionsDays: 5)
        let someDays = RetentionChange(interactions: .forever, decisions: .days(5))
        let forEver = RetentionChange(interactions: .forever, decisions: .forever)
        let quotas = Quotas(requestsPerMinute: nil, interactions: 7)
        let page = try ConsentPageURL("https://other.example/")
        return [
            ("nothing", OrganizationChange(), { _ in }),
            ("name", OrganizationChange(name: "Other"), { $0.name = "Other" }),
            ("enforcement", OrganizationChange(enforcement: .nonRestrictive), { $0.enforcement = .nonRestrictive }),
            ("hosts", OrganizationChange(targetHosts: hosts), { $0.targetHosts = hosts }),
            ("no hosts", OrganizationChange(targetHosts: []), { $0.targetHosts = [] }),
            ("GPC", OrganizationChange(honorsGPC: true), { $0.honorsGPC = true }),
            ("retention", OrganizationChange(retention: someDays), { $0.retention = retention }),
            ("for ever", OrganizationChange(retention: forEver), { $0.retention = .forever }),
            ("quotas", OrganizationChange(quotas: quotas), { $0.quotas = quotas }),
            ("evidence", OrganizationChange(requiresEvidence: true), { $0.requiresEvidence = true }),
            ("page", OrganizationChange(consentPage: .set(page)), { $0.consentPage = page }),
            ("no page", OrganizationChange(consentPage: .removed), { $0.consentPage = nil }),
            ("unlimited", OrganizationChange(quotas: .unlimited), { $0.quotas = .unlimited }),
        ]
    }

    @Test("a change sets what it names and leaves everything else as it is")
    func each() throws {
        for (name, change, apply) in try changes() {
            var expected = try organization()
            apply(&expected)
            #expect(try change.applied(to: organization()) == expected, "\(name)")
        }
    }

    @Test("changes together do what they do one after the other")
    func together() throws {
        var expected = try organization()
        var changed = try organization()
        for (_, change, apply) in try changes() {
            apply(&expected)
            changed = change.applied(to: changed)
        }
        #expect(changed == expected)
        #expect(changed.id == (try organization()).id)
        #expect(changed.identifiers == .exact, "how recipients are told apart never changes")
    }

    @Test("an organization without further settings keeps nothing for ever, honors GPC, and has no limits")
    func defaults() throws {
        let made = Organization(id: try OrganizationID("a"), name: "", enforcement: .nonRestrictive)
        #expect(made.targetHosts == [])
        #expect(made.honorsGPC)
        #expect(made.identifiers == .email)
        #expect(made.retention == .standard)
        #expect(!made.requiresEvidence)
        #expect(made.consentPage == nil)
        #expect(made.quotas == .unlimited)
    }
}

@Suite struct ScopeTests {
    @Test("a scope is named as the API and the stored keys name it")
    func names() {
        #expect(Scope.allCases.map(\.rawValue) == ["compose", "consent", "read", "manage", "report", "deliver"])
        for name in ["", "Compose", "all", "write"] { #expect(Scope(rawValue: name) == nil) }
    }
}
