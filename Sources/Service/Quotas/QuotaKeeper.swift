import HTTPTypes
import Identifiers
import Organizations
import Redirect
import Synchronization

/// Holds organizations to their quotas.
///
/// Requests are counted in memory, each one as it comes. Interactions are counted by the store: about once a second
/// (``QuotaService``) it is asked for the organizations that have such a quota, and their links are told.
final class QuotaKeeper: Sendable {
    private struct Kept {
        var quotas: Quotas
        var allowance: RequestAllowance?
        /// Of the refresh that it is from; of two at once the later one knows more.
        var ticket: Int
    }

    private struct State {
        var kept: [OrganizationID: Kept] = [:]
        var lastTicket = 0
    }

    private let organizations: any OrganizationStore
    private let recordingRules: RecordingRulesTable
    private let stored: @Sendable (OrganizationID) async throws -> Int
    /// Guards the quotas and what is left of them. Organizations without quotas are not in it.
    private let state = Mutex(State())
    /// Whether any organization has a quota; spares the lock where none has.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameter stored: how many interactions of an organization are in the store.
    init(
        organizations: any OrganizationStore, recordingRules: RecordingRulesTable,
        stored: @escaping @Sendable (OrganizationID) async throws -> Int
    ) {
        self.organizations = organizations
        self.recordingRules = recordingRules
        self.stored = stored
    }

    /// Takes one request from the quota of the caller's organization. The operator has none.
    /// - Throws: 429.
    func admit(_ caller: Caller) throws {
        guard isUsed.load(ordering: .relaxed), case .key(let key) = caller else { return }
        let refused = state.withLock { state -> (quota: Int, wait: Int)? in
            guard var kept = state.kept[key.organization], var allowance = kept.allowance else { return nil }
            let wait = allowance.take(at: .now)
            kept.allowance = allowance
            state.kept[key.organization] = kept
            return wait.map { (allowance.perMinute, $0) }
        }
        if let refused { throw Problem.overQuota(refused.quota, retryAfter: refused.wait) }
    }

    /// Reads the quotas of one organization, after they were changed.
    func refresh(_ id: OrganizationID) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        guard let organization = try await organizations.organization(id) else { return }
        apply(organization, ticket)
        try await measure(id)
    }

    /// Reads the quotas of all organizations, at the start.
    func load() async throws {
        for organization in try await organizations.all() where organization.quotas != .unlimited {
            try await refresh(organization.id)
        }
    }

    /// Tells the links of every organization with a quota of interactions whether it is used up.
    func measure() async throws {
        guard isUsed.load(ordering: .relaxed) else { return }
        for id in state.withLock({ $0.kept.filter { $0.value.quotas.interactions != nil }.map(\.key) }) {
            try await measure(id)
        }
    }

    private func measure(_ id: OrganizationID) async throws {
        let count = try await stored(id)
        let quota = state.withLock { $0.kept[id]?.quotas.interactions }
        recordingRules.rules(of: id).isFull = quota.map { count >= $0 } ?? false
    }

    private func apply(_ organization: Organization, _ ticket: Int) {
        state.withLock { state in
            let old = state.kept[organization.id]
            if let old, old.ticket > ticket { return }
            let quotas = organization.quotas
            var allowance: RequestAllowance?
            if let perMinute = quotas.requestsPerMinute {
                let kept = old?.allowance.flatMap { $0.perMinute == perMinute ? $0 : nil }
                allowance = kept ?? RequestAllowance(perMinute: perMinute, at: .now)
            }
            // One that has none any more stays, so that an older reading is not taken for a newer one.
            guard old != nil || quotas != .unlimited else { return }
            state.kept[organization.id] = Kept(quotas: quotas, allowance: allowance, ticket: ticket)
            isUsed.store(true, ordering: .relaxed)
        }
    }
}

extension Problem {
    fileprivate static func overQuota(_ quota: Int, retryAfter seconds: Int) -> Problem {
        var problem = Problem(
            .tooManyRequests, "The organization's quota requestsPerMinute, which is \(quota), is used up.")
        problem.headers[.retryAfter] = String(max(1, seconds))
        return problem
    }
}
