import Consent
import Identifiers
import Organizations
import Redirect
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// One organization whose quotas a test changes.
private final class Directory: OrganizationDirectory {
    private let current: Mutex<Organization>
    private let isOut = Atomic<Bool>(false)
    private let gate = Mutex<(next: AsyncStream<Void>?, isHolding: Bool)>((nil, false))
    private let others: [OrganizationID: Quotas]

    /// - Parameter others: the quotas of further organizations.
    init(_ organization: Organization, others: [OrganizationID: Quotas] = [:]) {
        current = Mutex(organization)
        self.others = others
    }

    var isHolding: Bool { gate.withLock { $0.isHolding } }

    /// The next answer is as of its question, and is given when `gate` ends.
    func holdNextAnswer(until gate: AsyncStream<Void>) { self.gate.withLock { $0.next = gate } }

    func set(_ quotas: Quotas) { current.withLock { $0.quotas = quotas } }

    /// Whether every question fails.
    func setOut(_ isOut: Bool) { self.isOut.store(isOut, ordering: .relaxed) }

    func organization(_: OrganizationID) async throws -> Organization? {
        if isOut.load(ordering: .relaxed) { throw Outage() }
        let answer = current.withLock { $0 }
        if let held = gate.withLock({ gate in gate.next.take() }) {
            gate.withLock { $0.isHolding = true }
            for await _ in held {}
        }
        return answer
    }
    func all() async throws -> [Organization] { [current.withLock { $0 }] }
    func quotas() async throws -> [OrganizationID: Quotas] {
        let organization = current.withLock { $0 }
        return organization.quotas == .unlimited
            ? others : others.merging([organization.id: organization.quotas]) { $1 }
    }
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
        try await quotas.measure()
        let principal = Principal.key(try Samples.apiKey())
        try quotas.admit(principal)
        try quotas.admit(principal)
        #expect { try quotas.admit(principal) } throws: { error in
            guard case RequestRefusal.overQuota(2, let seconds) = error else { return false }
            return seconds >= 1 && seconds <= 30
        }
        try quotas.admit(.operator)
        directory.set(.unlimited)
        await quotas.refresh(try OrganizationID("acme"))
        try quotas.admit(principal)
    }

    @Test("a quota that another node has changed, or taken away, is followed at the next measurement")
    func changedElsewhere() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(try Samples.organization(quotas: Quotas(requestsPerMinute: nil, interactions: 5)))
        let quotas = enforcer(directory, stored: 7)
        try await quotas.measure()
        #expect(rules.rules(of: acme).isFull)
        directory.set(Quotas(requestsPerMinute: 1, interactions: 8))
        try await quotas.measure()
        #expect(!rules.rules(of: acme).isFull)
        let principal = Principal.key(try Samples.apiKey())
        try quotas.admit(principal)
        #expect(throws: RequestRefusal.self) { try quotas.admit(principal) }
        directory.set(Quotas(requestsPerMinute: nil, interactions: 7))
        try await quotas.measure()
        #expect(rules.rules(of: acme).isFull)
        directory.set(.unlimited)
        try await quotas.measure()
        #expect(!rules.rules(of: acme).isFull)
        try quotas.admit(principal)
    }

    @Test("a quota is enforced although the interactions of other organizations cannot be counted")
    func uncounted() async throws {
        let acme = try OrganizationID("acme")
        let quota = Quotas(requestsPerMinute: nil, interactions: 5)
        let others = try (0..<9).map { (try OrganizationID("other-\($0)"), quota) }
        let directory = Directory(
            try Samples.organization(quotas: quota), others: Dictionary(uniqueKeysWithValues: others))
        let quotas = QuotaEnforcer(
            organizations: directory, recordingRules: rules,
            stored: { organization in
                guard organization == acme else { throw Outage() }
                return 5
            })
        await #expect(throws: Outage.self) { try await quotas.measure() }
        #expect(rules.rules(of: acme).isFull)
        #expect(try !rules.rules(of: OrganizationID("other-0")).isFull)
    }

    @Test("a quota that is read again unchanged gives nothing back, and another one begins anew")
    func unchanged() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(
            try Samples.organization(quotas: Quotas(requestsPerMinute: 1, interactions: nil)))
        let quotas = enforcer(directory)
        try await quotas.measure()
        let principal = Principal.key(try Samples.apiKey())
        try quotas.admit(principal)
        directory.set(Quotas(requestsPerMinute: 1, interactions: 5))
        await quotas.refresh(acme)
        #expect(throws: RequestRefusal.self) { try quotas.admit(principal) }
        directory.set(Quotas(requestsPerMinute: 3, interactions: 5))
        await quotas.refresh(acme)
        for _ in 0..<3 { try quotas.admit(principal) }
        #expect(throws: RequestRefusal.self) { try quotas.admit(principal) }
    }

    @Test("of two readings at once the one that began later holds, however late the other comes")
    func overtaken() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(
            try Samples.organization(quotas: Quotas(requestsPerMinute: 1, interactions: nil)))
        let quotas = enforcer(directory)
        let (gate, open) = AsyncStream<Void>.makeStream()
        directory.holdNextAnswer(until: gate)
        let older = Task { await quotas.refresh(acme) }
        #expect(await eventually { directory.isHolding })
        directory.set(.unlimited)
        await quotas.refresh(acme)
        directory.set(Quotas(requestsPerMinute: 2, interactions: nil))
        await quotas.refresh(acme)
        open.finish()
        await older.value
        let principal = Principal.key(try Samples.apiKey())
        for _ in 0..<2 { try quotas.admit(principal) }
        #expect(throws: RequestRefusal.self) { try quotas.admit(principal) }
    }

    @Test("a change whose quotas cannot be read is no failure, and holds from the next measurement on")
    func unread() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(try Samples.organization())
        let quotas = enforcer(directory)
        directory.set(Quotas(requestsPerMinute: 1, interactions: nil))
        directory.setOut(true)
        await quotas.refresh(acme)
        let principal = Principal.key(try Samples.apiKey())
        for _ in 0..<2 { try quotas.admit(principal) }
        directory.setOut(false)
        try await quotas.measure()
        try quotas.admit(principal)
        #expect(throws: RequestRefusal.self) { try quotas.admit(principal) }
    }

    @Test("an organization that has stored as many interactions as it may records no more, until it may again")
    func interactions() async throws {
        let acme = try OrganizationID("acme")
        let directory = Directory(
            try Samples.organization(quotas: Quotas(requestsPerMinute: nil, interactions: 10)))
        let quotas = enforcer(directory, stored: 10)
        try await quotas.measure()
        #expect(rules.rules(of: acme).isFull)
        directory.set(Quotas(requestsPerMinute: nil, interactions: 11))
        await quotas.refresh(acme)
        #expect(!rules.rules(of: acme).isFull)
    }
}
