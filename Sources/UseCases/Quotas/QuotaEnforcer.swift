package import Identifiers
package import Organizations
package import Redirect
import Synchronization

/// Enforces the quotas of organizations.
///
/// Requests are counted in memory, each when it arrives. The store counts interactions: ``measure()`` asks it about the
/// organizations with such a quota, and informs the redirect.
package final class QuotaEnforcer: Sendable {
    private struct Kept {
        var quotas: Quotas
        var allowance: RequestAllowance?
        /// The number of the refresh that read it. Of two that run at the same time, the later one has the newer
        /// values.
        var ticket: Int
    }

    private struct State {
        var kept: [OrganizationID: Kept] = [:]
        var lastTicket = 0
    }

    private let organizations: any OrganizationDirectory
    private let recordingRules: RecordingRulesTable
    private let stored: @Sendable (OrganizationID) async throws -> Int
    /// Guards the quotas and the remaining allowances. Organizations without quotas are not in it.
    private let state = Mutex(State())
    /// Whether any organization has a quota; avoids the lock if none has.
    private let isUsed = Atomic<Bool>(false)

    /// - Parameter stored: returns how many interactions of an organization are in the store.
    package init(
        organizations: any OrganizationDirectory, recordingRules: RecordingRulesTable,
        stored: @escaping @Sendable (OrganizationID) async throws -> Int
    ) {
        self.organizations = organizations
        self.recordingRules = recordingRules
        self.stored = stored
    }

    /// Takes one request from the quota of the principal's organization. The operator has no quota.
    /// - Throws: ``RequestRefusal/overQuota(requestsPerMinute:retryAfterSeconds:)``.
    package func admit(_ principal: Principal) throws {
        guard isUsed.load(ordering: .relaxed), case .key(let key) = principal else { return }
        let refused = state.withLock { state -> (quota: Int, wait: Int)? in
            guard var kept = state.kept[key.organization], var allowance = kept.allowance else { return nil }
            let wait = allowance.consume(at: .now)
            kept.allowance = allowance
            state.kept[key.organization] = kept
            return wait.map { (allowance.perMinute, $0) }
        }
        if let refused {
            throw RequestRefusal.overQuota(
                requestsPerMinute: refused.quota, retryAfterSeconds: max(1, refused.wait))
        }
    }

    /// Reads the quotas of one organization, after they were changed. The change is durable already, so a failure of
    /// the store is not reported to the caller: ``measure()`` reads the quotas again within about a second.
    package func refresh(_ id: OrganizationID) async {
        let ticket = nextTicket()
        guard let organization = try? await organizations.organization(id) else { return }
        apply(organization.quotas, of: id, ticket)
        try? await measure(id)
    }

    /// Reads the quotas of all organizations, which another node may have changed, and tells the redirect for each
    /// quota of interactions whether it is used up. Must be called at the start, and about once a second.
    /// - Throws: the first error, after all organizations were measured: what cannot be read about one must not keep the
    ///   quotas of others from being enforced.
    package func measure() async throws {
        let ticket = nextTicket()
        let quotas = try await organizations.quotas()
        for id in Set(quotas.keys).union(state.withLock { $0.kept.keys }) {
            apply(quotas[id] ?? .unlimited, of: id, ticket)
        }
        var fault: (any Error)?
        for id in state.withLock({ $0.kept.filter { $0.value.quotas.interactions != nil }.map(\.key) }) {
            do { try await measure(id) } catch { fault = fault ?? error }
        }
        if let fault { throw fault }
    }

    private func measure(_ id: OrganizationID) async throws {
        let count = try await stored(id)
        // The rules are changed under the lock of the quotas, so that an earlier measurement cannot undo a later
        // change.
        state.withLock { state in
            let quota = state.kept[id]?.quotas.interactions
            recordingRules.rules(of: id).isFull = quota.map { count >= $0 } ?? false
        }
    }

    private func nextTicket() -> Int {
        state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
    }

    private func apply(_ quotas: Quotas, of id: OrganizationID, _ ticket: Int) {
        state.withLock { state in
            let old = state.kept[id]
            if let old, old.ticket > ticket { return }
            var allowance: RequestAllowance?
            if let perMinute = quotas.requestsPerMinute {
                let kept = old?.allowance.flatMap { $0.perMinute == perMinute ? $0 : nil }
                allowance = kept ?? RequestAllowance(perMinute: perMinute, at: .now)
            }
            // An organization that no longer has quotas stays, so that an older reading is not taken for a newer one.
            guard old != nil || quotas != .unlimited else { return }
            if quotas.interactions == nil { recordingRules.rules(of: id).isFull = false }
            state.kept[id] = Kept(quotas: quotas, allowance: allowance, ticket: ticket)
            isUsed.store(true, ordering: .relaxed)
        }
    }
}
