import Identifiers
import Ledger
import Logging
import Organizations
import ServiceLifecycle
import StoragePorts

/// Deletes in the background what organizations no longer keep: at the start, then in rounds of a minute, while no
/// other node does. A round checks the organizations whose data may be due (``RetentionSchedule``).
struct RetentionService: Service {
    /// A step blocks the writer for some milliseconds, and then lets others go first.
    private static let rowsPerStep = 500
    private static let rest = Duration.milliseconds(20)
    /// How often the clock is checked between two rounds.
    private static let lookInterval = Duration.seconds(1)
    /// If a node misses two rounds, another node takes the job.
    private static let leaseDuration = Duration.seconds(180)
    /// A request with an `Idempotency-Key` is known for the promised time even if the clock went ahead meanwhile by up
    /// to `RetentionHold.maximumGap`.
    private static let requestLifetime = IdempotencyRecord.lifetime + RetentionHold.maximumGap

    let organizations: any OrganizationDirectory
    let retention: any RetentionStore
    let leases: any JobLeaseStore
    let lag: RetentionLag
    let jobs: JobMetrics
    /// The earlier of wall clock and service time: it is better to delete too late than too early.
    let now: @Sendable () -> Timestamp
    let logger: Logger
    /// Whether the clock went ahead at a moment that no process saw: then nothing is deleted.
    var hasLeapt: @Sendable () -> Bool = { false }
    /// Is told whether there is a hold.
    var noteHold: @Sendable (Bool) -> Void = { _ in }
    var runs = RetentionRuns()
    var interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            var lease = JobLease(.retention, from: leases, lasting: Self.leaseDuration)
            var clock = PurgeClockWatch()
            var schedule = RetentionSchedule()
            var held: JobToken?
            var lastFailure: String?
            repeat {
                do {
                    let instant = now()
                    // Also while another node has the job, and while the store cannot be asked: this node must know
                    // what its clock did meanwhile when it gets the job.
                    clock.check(at: instant)
                    held = nil
                    let token = try await lease.acquire(at: instant)
                    held = token
                    jobs.set(.retention, isHeld: token != nil)
                    if !clock.isBegun { clock.begin(try await retention.hold(at: instant), at: instant) }
                    noteHold(clock.isHeld)
                    guard let token else {
                        clock.leave()
                        schedule.forget()
                        lag.clear()
                        runs.didLeave()
                        continue
                    }
                    try await round(at: instant, &clock, &schedule, as: token)
                    runs.didEnd(at: now(), nextAfter: interval)
                    lastFailure = nil
                } catch is CancellationError {
                    break
                } catch is ClockStepped {
                    // The next round follows at once, and stores the hold.
                } catch is JobTokenExpired {
                    // Another node continues. This node asks for the job again in the next round.
                } catch let failure as any StoreFailure where failure.isDuringMigration {
                    // Everything waits for the end of the move, which is logged elsewhere.
                } catch {
                    // The rest waits for the next round, a minute later: a lasting failure is logged once.
                    let failure = Self.loggable(error)
                    guard failure != lastFailure else { continue }
                    lastFailure = failure
                    logger.warning("could not forget data whose retention ended", metadata: ["error": "\(failure)"])
                }
            } while await wait(&clock)
            await noteAtEnd(clock, as: held)
            await lease.release()
            jobs.set(.retention, isHeld: false)
        }
    }

    /// Waits for the next round. If a hold begins or ends meanwhile, the round follows at once and stores that: a process
    /// that ends before would leave the step to the next one, which would take it for the time that the service was off.
    /// - Returns: `false` if the service ends.
    private func wait(_ clock: inout PurgeClockWatch) async -> Bool {
        let end = ContinuousClock.now + interval
        repeat {
            if clock.changesHold(at: now()) {
                noteHold(clock.isHeld)
                return true
            }
            let rest = max(.zero, ContinuousClock.now.duration(to: end))
            guard (try? await Task.sleep(for: min(rest, Self.lookInterval))) != nil else { return false }
        } while .now < end
        return true
    }

    /// Stores a hold that began just before the end.
    private func noteAtEnd(_ clock: PurgeClockWatch, as token: JobToken?) async {
        var clock = clock
        clock.check(at: now())
        guard let token, let hold = clock.stateToStore else { return }
        try? await retention.store(hold, as: token)
    }

    /// The clock went ahead during a round.
    private struct ClockStepped: Error {}

    /// The description of a store's failure names no person. Of any other error only the type is logged.
    private static func loggable(_ error: any Error) -> String {
        (error as? any StoreFailure)?.description ?? "\(type(of: error))"
    }

    private func round(
        at instant: Timestamp, _ clock: inout PurgeClockWatch, _ schedule: inout RetentionSchedule, as token: JobToken
    ) async throws {
        let hasLeapt = hasLeapt()
        switch clock.change(hasLeapt: hasLeapt) {
        case .held:
            logger.error(
                """
                retention deletes nothing: the clock went ahead. If the clock is right, retention goes on after a day; \
                if not, set it
                """)
        case .believed: logger.notice("retention deletes data again: the clock is trusted")
        case nil: break
        }
        if let hold = clock.stateToStore {
            try await retention.store(hold, as: token)
            clock.didStore(hold)
        }
        if clock.mayForgetRequests, !hasLeapt { try await forgetRequests(at: instant, as: token) }
        let mayPurge = clock.mayPurge && !hasLeapt
        for organization in try await organizations.all() where schedule.isTime(for: organization, at: instant) {
            try await forget(organization, at: instant, mayPurge: mayPurge, as: token, &schedule)
        }
    }

    private func forgetRequests(at instant: Timestamp, as token: JobToken) async throws {
        let end = instant - Self.requestLifetime
        while try await retention.forgetRequests(madeUntil: end, limit: Self.rowsPerStep, as: token) == Self.rowsPerStep
        {
            try await Task.sleep(for: Self.rest)
        }
    }

    private func forget(
        _ organization: Organization, at instant: Timestamp, mayPurge: Bool, as token: JobToken,
        _ schedule: inout RetentionSchedule
    ) async throws {
        do {
            // Before the deletion too: if it fails, the lag must be known.
            let due = try await noteDue(organization.id)
            guard mayPurge, let due, due <= instant else {
                return schedule.noteLook(at: organization, nextDue: due, at: instant)
            }
            let hasDeleted = try await purge(organization.id, at: instant, as: token)
            schedule.noteLook(
                at: organization, nextDue: try await noteDue(organization.id), hasDeleted: hasDeleted, at: instant)
        } catch is LedgerInconsistency {
            // A deletion appends an entry, and this ledger is closed. The other organizations continue.
        }
    }

    private func noteDue(_ organization: OrganizationID) async throws -> Timestamp? {
        let due = try await retention.nextDue(in: organization)
        lag.set(organization, nextDue: due)
        return due
    }

    /// - Returns: whether something was deleted that has an entry in the ledger.
    private func purge(
        _ organization: OrganizationID, at instant: Timestamp, as token: JobToken
    ) async throws -> Bool {
        var (interactions, decisions, accesses) = (0, 0, 0)
        while true {
            guard now() <= instant.advanced(by: RetentionHold.maximumGap) else { throw ClockStepped() }
            let step = try await retention.purge(
                organization, at: instant, limit: Self.rowsPerStep, as: token)
            runs.add(step)
            interactions += step.interactions
            decisions += step.decisions
            accesses += step.accesses
            guard !step.isLast else { break }
            try await Task.sleep(for: Self.rest)
        }
        guard interactions + decisions + accesses > 0 else { return false }
        logger.info(
            "forgot data whose retention ended",
            metadata: [
                "organization": "\(organization)", "interactions": "\(interactions)", "decisions": "\(decisions)",
                "accesses": "\(accesses)",
            ])
        return true
    }
}
