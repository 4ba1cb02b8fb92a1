import Consent
import Counting
import Identifiers
import Ledger
import Logging
import Organizations
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import Service

@Suite struct RetentionServiceTests {
    private func organization(_ id: String, days: Int?) throws -> Organization {
        Organization(
            id: try OrganizationID(id), name: id, enforcement: .restrictive,
            retention: Retention(interactionsDays: days, decisionsDays: nil))
    }

    /// Runs one round: ends the service as soon as it waits for the next.
    private func round(
        _ store: Store, now: @escaping @Sendable () -> Timestamp = { .noon }, log: CapturedLog = CapturedLog(),
        jobs: JobMetrics = JobMetrics(), lag given: RetentionLag? = nil, interval: Duration = .seconds(60)
    ) async throws -> RetentionLag {
        let lag = given ?? RetentionLag(now: now)
        let last = try organization("zz-last", days: nil)
        store.state.withLock { $0.organizations.append(last) }
        let service = RetentionService(
            organizations: store, retention: LastAsked(store: store, last: last.id), leases: store, lag: lag,
            jobs: jobs, now: now, logger: log.logger, interval: interval)
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

        func purge(
            _ organization: OrganizationID, at now: Timestamp, limit: Int, as token: JobToken
        ) async throws -> Purge {
            try await store.purge(organization, at: now, limit: limit, as: token)
        }
        func nextDue(in organization: OrganizationID) async throws -> Timestamp? {
            if organization == last { store.round.yield() }
            return try await store.nextDue(in: organization)
        }
        func forgetRequests(madeUntil instant: Timestamp, limit: Int, as token: JobToken) async throws -> Int {
            try await store.forgetRequests(madeUntil: instant, limit: limit, as: token)
        }
        func hold(at now: Timestamp) async throws -> RetentionHold { try await store.hold(at: now) }
        func store(_ hold: RetentionHold, as token: JobToken) async throws { try await store.store(hold, as: token) }
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

    @Test("a step ahead between two rounds is stored at once, and one just before the end, too")
    func steppedMeanwhile() async throws {
        for isEnding in [false, true] {
            let store = Store()
            store.state.withLock { $0.trusted = .noon }
            let ahead = Mutex(Int64(0))
            let service = RetentionService(
                organizations: store, retention: store, leases: store, lag: RetentionLag(now: { .noon }),
                jobs: JobMetrics(), now: { .noon + ahead.withLock { $0 } * 86_400_000 },
                logger: CapturedLog().logger, interval: .seconds(600))
            let running = Task { await service.run() }
            while store.state.withLock({ $0.noted.isEmpty }) { try await Task.sleep(for: .milliseconds(5)) }
            ahead.withLock { $0 = 300 }
            while !isEnding, store.state.withLock({ $0.noted.count < 2 }) {
                try await Task.sleep(for: .milliseconds(5))
            }
            running.cancel()
            await running.value
            let noted = store.state.withLock { $0.noted }
            #expect(noted.map(\.heldSince) == [nil, .noon + 300 * 86_400_000])
            #expect(noted.last?.trusted == .noon)
        }
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

    private struct Broken: StoreFailure {
        let description: String
        let isTransient = true
    }

    private struct Moving: StoreFailure {
        let description = "the storage takes no writes"
        let isTransient = true
        let isDuringMigration = true
    }

    /// Its text would name somebody.
    private struct Unexpected: Error, CustomStringConvertible {
        let description = "ana@example.com"
    }

    @Test("a failure is logged once as long as it lasts, without what may name somebody")
    func logged() async throws {
        let (store, log) = (Store(), CapturedLog())
        let (full, gone) = (Broken(description: "the disk is full"), Broken(description: "the disk is gone"))
        store.state.withLock { $0.failures = [full, full, gone, Moving(), Unexpected(), nil, Unexpected(), nil] }
        let service = RetentionService(
            organizations: store, retention: store, leases: store, lag: RetentionLag(now: { .noon }),
            jobs: JobMetrics(),
            now: { .noon }, logger: log.logger, interval: .zero)
        let running = Task { await service.run() }
        for await _ in store.rounds { break }
        running.cancel()
        await running.value
        let line = "could not forget data whose retention ended: "
        #expect(
            log.lines.map { "\($0.message): \($0.metadata["error"] ?? "")" }
                == ["the disk is full", "the disk is gone", "Unexpected", "Unexpected"].map { line + $0 })
    }

    @Test("while another node has the job nothing is removed and nothing noted")
    func elsewhere() async throws {
        let store = Store()
        let some = try organization("some", days: 1)
        store.state.withLock { state in
            state.organizations = [some]
            state.rows = [some.id: 3]
            state.isElsewhere = true
        }
        let lag = RetentionLag(now: { .noon })
        // This node had the job before.
        lag.set(some.id, nextDue: .noon.advanced(by: .seconds(-60)))
        let jobs = JobMetrics()
        jobs.set(.retention, isHeld: true)
        _ = try await round(store, jobs: jobs, lag: lag)
        let (rows, noted, released) = store.state.withLock { ($0.rows, $0.noted, $0.released) }
        #expect(rows == [some.id: 3])
        #expect(noted.isEmpty)
        #expect(released.isEmpty)
        let page = PrometheusText(jobs.metrics + lag.metrics).text
        #expect(page.contains("\nconsentlink_job_held{name=\"retention\"} 0\n"))
        #expect(page.contains("\nconsentlink_retention_lag_seconds 0\n"), "that is the other node's to tell")
    }

    @Test("a node that gets the job back after days believes its clock, and one whose clock stepped meanwhile does not")
    func takenBack() async throws {
        for (hours, rows, levels) in [(20, 0, [Logger.Level.info]), (25, 3, [.error])] {
            let (store, log) = (Store(), CapturedLog())
            let some = try organization("some", days: 1)
            store.state.withLock { state in
                state.organizations = [some]
                state.rows = [some.id: 3]
                state.trusted = .noon
                state.elsewhereUntil = 5
            }
            // The clock goes on each time the job is asked for.
            let now: @Sendable () -> Timestamp = {
                .noon + store.state.withLock { Int64($0.asked * hours) * 3_600_000 }
            }
            _ = try await round(store, now: now, log: log, interval: .milliseconds(1))
            #expect(store.state.withLock { $0.rows } == [some.id: rows])
            #expect(log.levels == levels)
            let noted = store.state.withLock { $0.noted }
            #expect(!noted.isEmpty && noted.allSatisfy { ($0.heldSince == nil) == (rows == 0) })
        }
    }

    @Test("a node whose job was taken over removes nothing more")
    func deposed() async throws {
        let store = Store()
        let some = try organization("some", days: 1)
        store.state.withLock { state in
            state.organizations = [some]
            state.rows = [some.id: 1200]
            state.deposedAt = 1
        }
        _ = try await round(store)
        #expect(store.state.withLock { $0.rows } == [some.id: 700])
    }

    @Test("a service that ends lets its job go")
    func released() async throws {
        let store = Store()
        _ = try await round(store)
        let (leases, released) = store.state.withLock { ($0.leases, $0.released) }
        #expect(leases == 1)
        #expect(released == [1])
    }

    @Test("a round looks at no organization of which nothing can be due, and deletes no little of one each time")
    func looks() async throws {
        let store = Store()
        let (some, none) = (try organization("some", days: 1), try organization("none", days: 1))
        store.state.withLock { state in
            state.organizations = [some, none]
            state.rows = [some.id: 3]
            // As many rounds.
            state.failures = [nil, nil, nil, nil]
        }
        let service = RetentionService(
            organizations: store, retention: store, leases: store, lag: RetentionLag(now: { .noon }),
            jobs: JobMetrics(), now: { .noon }, logger: CapturedLog().logger, interval: .zero)
        let running = Task { await service.run() }
        for await _ in store.rounds { break }
        running.cancel()
        await running.value
        let (looks, steps) = store.state.withLock { ($0.looks, $0.steps) }
        #expect(looks == [some.id, some.id, none.id], "the first one before and after its deletion")
        #expect(steps == [some.id])
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

    @Test("what was removed is told once an organization, with how much it was, and nothing where there was nothing")
    func told() async throws {
        let (store, log) = (Store(), CapturedLog())
        let (some, none) = (try organization("some", days: 1), try organization("none", days: 1))
        store.state.withLock { state in
            state.organizations = [some, none]
            state.rows = [some.id: 1001]
        }
        _ = try await round(store, log: log)
        #expect(log.lines.map(\.level) == [.info])
        let expected = ["organization": "some", "interactions": "1001", "decisions": "0", "accesses": "0"]
        #expect(log.lines.first?.metadata == expected)
    }

    @Test("a hold is told as an error, once, and says what to do")
    func heldIsTold() async throws {
        let (store, log) = (Store(), CapturedLog())
        store.state.withLock { $0.trusted = .noon + -400 * 86_400_000 }
        _ = try await round(store, log: log)
        #expect(log.levels == [.error])
        #expect(log.lines.first?.message.contains("if not, set it") == true)
    }
}
