import Consent
import Identifiers
import Organizations
import Redirect
import Synchronization
import Testing

@testable import UseCases

/// One organization whose quotas a test changes.
private final class Directory: OrganizationDirectory {
    private let current: Mutex<Organization>

    init(_ organization: Organization) { current = Mutex(organization) }

    func set(_ quotas: Quotas) { current.withLock { $0.quotas = quotas } }

    func organization(_: OrganizationID) async throws -> Organization? { current.withLock { $0 } }
    func all() async throws -> [Organization] { [current.withLock { $0 }] }
    func enforcementHistory(of _: OrganizationID) async throws -> EnforcementHistory? { nil }
}

@Suite struct QuotaEnforcerTests {
    private let rules = RecordingRulesTable()

    private func enforcer(_ directory: Directory, stored count: Int = 0) -> QuotaEnforcer {
        QuotaEnforcer(organizations: directory, recordingRules: rules, stored: { _ in count })
    }

    @Test("requests are admitted up to the quota, and then told when to come back")
    func requests() async throws {
        let directory = Directory(
            try Samples.organization(quotas: Quotas(requestsPerMinute: 2, interactions: nil)))
        let quotas = enforcer(directory)
        try await quotas.load()
        let principal = Principal.key(try Samples.accessKey())
        try quotas.admit(principal)
        try quotas.admit(principal)
        #expect { try quotas.admit(principal) } throws: { error in
            guard case RequestRefusal.overQuota(2, let seconds) = error else { return false }
            return seconds >= 1 && seconds <= 30
        }
        try quotas.admit(.operator)
        directory.set(.unlimited)
        try await quotas.refresh(try OrganizationID("acme"))
        try quotas.admit(principal)
    }

    @Test("an organization that has stored as many interactions as it may records no more, until it may again")
    func interactions() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(
            try Samples.organization(quotas: Quotas(requestsPerMinute: nil, interactions: 10)))
        let quotas = enforcer(directory, stored: 10)
        try await quotas.load()
        #expect(rules.rules(of: acme).isFull)
        directory.set(Quotas(requestsPerMinute: nil, interactions: 11))
        try await quotas.refresh(acme)
        #expect(!rules.rules(of: acme).isFull)
    }
}
