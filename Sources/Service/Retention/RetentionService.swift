import Identifiers
import Ledger
import Logging
import Organizations
import ServiceLifecycle

/// Forgets in the background what organizations keep no longer: at the start, then every minute, while no other node
/// does.
struct RetentionService: Service {
    /// A step holds the writer for some milliseconds, and then lets others go first.
    private static let rowsPerStep = 500
    private static let rest = Duration.milliseconds(20)
    /// A node that misses two rounds leaves the job to others.
    private static let leaseDuration = Duration.seconds(180)

    let organizations: any OrganizationDirectory
    let retention: any RetentionStore
    let leases: any JobLeaseStore
    let lag: RetentionLag
    let jobs: JobMetrics
    /// The earlier of wall clock and service time, for deleting too late can be made good.
    let now: @Sendable () -> Timestamp
    let logger: Logger
    var runs = RetentionRuns()
    var interval = Duration.seconds(60)

    func run() async {
        await cancelWhenGracefulShutdown {
            var turn = JobTurn(.retention, from: leases, lasting: Self.leaseDuration)
            var holds = Holds()
            var lastFailure: String?
            repeat {
                do {
                    let instant = now()
                    let token = try await turn.begin(at: instant)
                    jobs.note(.retention, isHeld: token != nil)
                    guard let token else {
                        lag.clear()
                        runs.noteOtherNode()
                        continue
                    }
                    try await round(at: instant, &holds, as: token)
                    runs.noteEnd(at: now(), nextAfter: interval)
                    lastFailure = nil
                } catch is CancellationError {
                    break
                } catch is JobTokenExpired {
                    // Another node goes on. This one asks for the job again in the next round.
                } catch {
                    // What is left waits for the next round, a minute later: one line for a failure that lasts.
                    let failure = Self.loggable(error)
                    guard failure != lastFailure else { continue }
                    lastFailure = failure
                    logger.warning("could not forget what is kept no longer", metadata: ["error": "\(failure)"])
                }
            } while (try? await Task.sleep(for: interval)) != nil
            await turn.end()
            jobs.note(.retention, isHeld: false)
        }
    }

    /// The description of a store's failure names nobody. Of any other error the type alone is logged.
    private static func loggable(_ error: any Error) -> String {
        (error as? any StoreFailure)?.description ?? "\(type(of: error))"
    }

    private struct Holds {
        /// Of the round before.
        var last: RetentionHold?
        /// As the store keeps it.
        var noted: RetentionHold?
    }

    private func round(at instant: Timestamp, _ holds: inout Holds, as token: JobToken) async throws {
        var current: RetentionHold
        if let last = holds.last { current = last } else { current = try await retention.hold(at: instant) }
        let mayPurge = current.mayPurge(at: instant)
        tell(of: current, after: holds.last)
        holds.last = current
        if holds.noted.map({ Self.isWorthNoting(current, after: $0) }) ?? true {
            try await retention.note(current, as: token)
            holds.noted = current
        }
        for organization in try await organizations.all() {
            try await forget(organization, at: instant, mayPurge: mayPurge, as: token)
        }
    }

    private func forget(
        _ organization: Organization, at instant: Timestamp, mayPurge: Bool, as token: JobToken
    ) async throws {
        do {
            // Before the work too: should it fail, how late it is must be known.
            let due = try await noteDue(organization.id)
            // Consent requests go also where everything else is kept for ever.
            guard mayPurge, organization.retention != .forever || due.map({ $0 <= instant }) ?? false else { return }
            try await purge(organization.id, at: instant, as: token)
            try await noteDue(organization.id)
        } catch is LedgerInconsistency {
            // What is forgotten has an entry, and this ledger takes none. The others go on.
        }
    }

    @discardableResult
    private func noteDue(_ organization: OrganizationID) async throws -> Timestamp? {
        let due = try await retention.nextDue(in: organization)
        lag.note(organization, nextDue: due)
        return due
    }

    /// Beginning and end of a hold are kept at once, the time itself every hour.
    private static func isWorthNoting(_ hold: RetentionHold, after noted: RetentionHold) -> Bool {
        (hold.heldSince == nil) != (noted.heldSince == nil)
            || hold.trusted > noted.trusted.advanced(byMilliseconds: 3_600_000) || hold.trusted < noted.trusted
    }

    private func tell(of hold: RetentionHold, after before: RetentionHold?) {
        switch (before?.heldSince, hold.heldSince) {
        case (nil, .some):
            logger.error(
                """
                nothing is deleted for its age: the clock went ahead. If it is right, deleting goes on after a day; \
                if not, set it
                """)
        case (.some, nil): logger.notice("what is older than it is kept is deleted again: the clock is believed")
        default: break
        }
    }

    private func purge(_ organization: OrganizationID, at instant: Timestamp, as token: JobToken) async throws {
        var (interactions, decisions, accesses) = (0, 0, 0)
        while true {
            let step = try await retention.purge(
                organization, at: instant, limit: Self.rowsPerStep, as: token)
            runs.note(step)
            interactions += step.interactions
            decisions += step.decisions
            accesses += step.accesses
            guard !step.isLast else { break }
            try await Task.sleep(for: Self.rest)
        }
        guard interactions + decisions + accesses > 0 else { return }
        logger.info(
            "forgot what is kept no longer",
            metadata: [
                "organization": "\(organization)", "interactions": "\(interactions)", "decisions": "\(decisions)",
                "accesses": "\(accesses)",
            ])
    }
}
