import Consent
import Identifiers
import Ledger
import Organizations
import StoragePorts
import Synchronization
import TestSupport

@testable import Service

extension RetentionServiceTests {
    /// Organizations whose rows are counted down, step by step.
    final class Store: RetentionStore, JobLeaseStore, OrganizationDirectory {
        struct State {
            var organizations: [Organization] = []
            var rows: [OrganizationID: Int] = [:]
            var steps: [OrganizationID] = []
            var noted: [RetentionHold] = []
            /// When each request with an `Idempotency-Key` was made.
            var requests: [Timestamp] = []
            var due: [OrganizationID: Timestamp] = [:]
            /// Which organizations were looked at.
            var looks: [OrganizationID] = []
            var broken: OrganizationID?
            /// What the store fails with, round after round; `nil` where it does not.
            var failures: [(any Error)?] = []
            var trusted: Timestamp?
            /// Whether another node has the job.
            var isElsewhere = false
            /// How often the job was asked for.
            var asked = 0
            /// Another node has the job until it was asked for so often.
            var elsewhereUntil = 0
            /// At which step another node takes the job; `nil` for never.
            var deposedAt: Int?
            var leases: UInt64 = 0
            var released: [UInt64] = []
        }

        let state = Mutex(State())
        /// Is told of each round, when the last organization was looked at for the last time.
        let (rounds, round) = AsyncStream.makeStream(of: Void.self)

        func acquire(_ job: Job, at _: Timestamp, until _: Timestamp) async throws -> JobToken? {
            let number = state.withLock { state -> UInt64? in
                state.asked += 1
                if state.isElsewhere || state.asked < state.elsewhereUntil { return nil }
                state.leases += 1
                return state.leases
            }
            if number == nil, state.withLock({ $0.isElsewhere }) { round.yield() }
            return number.map { JobToken(job: job, number: $0) }
        }

        func renew(_: JobToken, until _: Timestamp) async throws {}

        func release(_ token: JobToken) async throws { state.withLock { $0.released.append(token.number) } }

        func purge(
            _ organization: OrganizationID, at _: Timestamp, limit: Int, as token: JobToken
        ) async throws -> Purge {
            try state.withLock { state in
                if state.deposedAt == state.steps.count {
                    round.yield()
                    throw JobTokenExpired()
                }
                if state.broken == organization { throw LedgerInconsistency(organization, .anotherTree(0...0)) }
                state.steps.append(organization)
                let left = state.rows[organization, default: 0]
                let removed = min(left, limit)
                state.rows[organization] = left - removed
                return Purge(interactions: removed, decisions: 0, isLast: left <= limit)
            }
        }

        func nextDue(in organization: OrganizationID) async throws -> Timestamp? {
            state.withLock { state in
                state.looks.append(organization)
                if let due = state.due[organization] { return due }
                let isKept = state.organizations.contains { $0.id == organization && $0.retention == .forever }
                guard !isKept, state.rows[organization, default: 0] > 0 else { return nil }
                return Timestamp.noon.advanced(byMilliseconds: -1)
            }
        }

        func forgetRequests(madeUntil instant: Timestamp, limit: Int, as _: JobToken) async throws -> Int {
            state.withLock { state in
                let old = state.requests.filter { $0 <= instant }.sorted().prefix(limit)
                state.requests.removeAll(where: old.contains)
                return old.count
            }
        }

        func hold(at now: Timestamp) async throws -> RetentionHold {
            RetentionHold(trusted: state.withLock { $0.trusted }, wasHeld: false, at: now)
        }

        func store(_ hold: RetentionHold, as _: JobToken) async throws { state.withLock { $0.noted.append(hold) } }

        func organization(_ id: OrganizationID) async throws -> Organization? { nil }

        func all() async throws -> [Organization] {
            try state.withLock { state in
                if !state.failures.isEmpty {
                    let failure = state.failures.removeFirst()
                    if state.failures.isEmpty { round.yield() }
                    if let failure { throw failure }
                }
                return state.organizations
            }
        }

        func quotas() async throws -> [OrganizationID: Quotas] { [:] }
        func enforcementHistory(of _: OrganizationID) async throws -> EnforcementHistory? { nil }
    }
}
