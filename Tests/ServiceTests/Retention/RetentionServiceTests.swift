import Consent
import Counting
import Identifiers
import Ledger
import Logging
import Organizations
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite struct RetentionServiceTests {
    /// Organizations whose rows are counted down, step by step.
    private final class Store: RetentionStore, OrganizationDirectory {
        struct State {
            var organizations: [Organization] = []
            var rows: [OrganizationID: Int] = [:]
            var steps: [OrganizationID] = []
            var noted: [RetentionHold] = []
            var due: [OrganizationID: Timestamp] = [:]
            var broken: OrganizationID?
            var trusted: Timestamp?
        }

        let state = Mutex(State())
        /// Is told of each round, when the last organization was looked at for the last time.
        let (rounds, round) = AsyncStream.makeStream(of: Void.self)

        func purge(_ organization: OrganizationID, at _: Timestamp, limit: Int) async throws -> Purge {
            try state.withLock { state in
                if state.broken == organization { throw LedgerInconsistency(organization, .anotherTree(0...0)) }
                state.steps.append(organization)
                let left = state.rows[organization, default: 0]
                let removed = min(left, limit)
                state.rows[organization] = left - removed
                return Purge(interactions: removed, decisions: 0, isLast: left <= limit)
            }
        }

        func nextDue(in organization: OrganizationID) async throws -> Timestamp? {
            state.withLock { $0.due[organization] }
        }

        func hold(at now: Timestamp) async throws -> RetentionHold {
            RetentionHold(trusted: state.withLock { $0.trusted }, wasHeld: false, at: now)
        }

        func note(_ hold: RetentionHold) async throws { state.withLock { $0.noted.append(hold) } }

        func organization(_ id: OrganizationID) async throws -> Organization? { nil }

        func all() async throws -> [Organization] { state.withLock { $0.organizations } }

        func enforcementHistory(of _: OrganizationID) async throws -> EnforcementHistory? { nil }
    }

    private func organization(_ id: String, days: Int?) throws -> Organization {
        Organization(
            id: try OrganizationID(id), name: id, enforcement: .restrictive,
            retention: Retention(interactionsDays: days, decisionsDays: nil))
    }

    /// Runs one round: ends the service as soon as it waits for the next.
    private func round(_ store: Store, now: Timestamp = .noon) async throws -> RetentionLag {
        let lag = RetentionLag(now: { now })
        let last = try organization("zz-last", days: nil)
        store.state.withLock { $0.organizations.append(last) }
        let service = RetentionService(
            organizations: store, retention: LastAsked(store: store, last: last.id), lag: lag, now: { now },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let running = Task { await service.run() }
        for await _ in store.rounds { break }
        running.cancel()
        await running.value
        return lag
    }

    /// Tells the end of a round by the organization that is looked at last.
    private struct LastAsked: RetentionStore {
        let store: Store
        let last: OrganizationID

        func purge(_ organization: OrganizationID, at now: Timestamp, limit: Int) async throws -> Purge {
            try await store.purge(organization, at: now, limit: limit)
        }
        func nextDue(in organization: OrganizationID) async throws -> Timestamp? {
            if organization == last { store.round.yield() }
            return try await store.nextDue(in: organization)
        }
        func hold(at now: Timestamp) async throws -> RetentionHold { try await store.hold(at: now) }
        func note(_ hold: RetentionHold) async throws { try await store.note(hold) }
    }

    @Test("what is kept no longer is removed in steps, of organizations that keep it for a while alone")
    func steps() async throws {
        let store = Store()
        let (some, all) = (try organization("some", days: 1), try organization("all", days: nil))
        store.state.withLock { state in
            state.organizations = [some, all]
            state.rows = [some.id: 1200, all.id: 7]
        }
        _ = try await round(store)
        let (rows, steps) = store.state.withLock { ($0.rows, $0.steps) }
        #expect(rows == [some.id: 0, all.id: 7])
        #expect(steps == [some.id, some.id, some.id], "500 rows each")
    }

    @Test("a clock that is years ahead deletes nothing, and that is kept for the next start")
    func held() async throws {
        let store = Store()
        let some = try organization("some", days: 1)
        store.state.withLock { state in
            state.organizations = [some]
            state.rows = [some.id: 3]
            state.trusted = .noon + -400 * 86_400_000
        }
        _ = try await round(store)
        let (rows, noted) = store.state.withLock { ($0.rows, $0.noted) }
        #expect(rows == [some.id: 3])
        #expect(noted.map(\.heldSince) == [.noon])
    }

    @Test("a ledger that takes no entry hinders no other organization")
    func broken() async throws {
        let store = Store()
        let (closed, open) = (try organization("closed", days: 1), try organization("open", days: 1))
        store.state.withLock { state in
            state.organizations = [closed, open]
            state.rows = [closed.id: 3, open.id: 3]
            state.broken = closed.id
        }
        _ = try await round(store)
        #expect(store.state.withLock { $0.rows } == [closed.id: 3, open.id: 0])
    }

    @Test("how late it is is known, also of what cannot be deleted")
    func lag() async throws {
        let store = Store()
        let some = try organization("some", days: 1)
        store.state.withLock { state in
            state.organizations = [some]
            state.broken = some.id
            state.due = [some.id: .noon + -90_000]
        }
        let lag = try await round(store)
        let families = lag.metrics
        #expect(families.contains { "\($0)".contains("90.0") })
    }
}
