import Identifiers
import Ledger
import Logging
import Organizations
import ServiceLifecycle

/// Forgets in the background what organizations keep no longer: at the start, then every minute.
struct RetentionService: Service {
    private static let interval = Duration.seconds(60)
    /// A step holds the writer for some milliseconds, and then lets others go first.
    private static let rowsPerStep = 500
    private static let rest = Duration.milliseconds(20)

    let organizations: any OrganizationDirectory
    let retention: any RetentionStore
    let lag: RetentionLag
    /// The earlier of wall clock and service time, for deleting too late can be made good.
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var hold: RetentionHold?
            var noted: RetentionHold?
            repeat {
                do {
                    let instant = now()
                    var current: RetentionHold
                    if let hold { current = hold } else { current = try await retention.hold(at: instant) }
                    let mayPurge = current.mayPurge(at: instant)
                    tell(of: current, after: hold)
                    hold = current
                    if noted.map({ Self.isWorthNoting(current, after: $0) }) ?? true {
                        try await retention.note(current)
                        noted = current
                    }
                    for organization in try await organizations.all() {
                        try await forget(organization, at: instant, mayPurge: mayPurge)
                    }
                } catch is CancellationError {
                    return
                } catch {
                    // The store says for itself what ails it; whatever is left waits for the next round.
                    logger.warning("could not forget what is kept no longer")
                }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    private func forget(_ organization: Organization, at instant: Timestamp, mayPurge: Bool) async throws {
        do {
            // Before the work too: should it fail, how late it is must be known.
            try await noteDue(organization.id)
            guard mayPurge, organization.retention != .forever else { return }
            try await purge(organization.id, at: instant)
            try await noteDue(organization.id)
        } catch is LedgerInconsistency {
            // What is forgotten has an entry, and this ledger takes none. The others go on.
        }
    }

    private func noteDue(_ organization: OrganizationID) async throws {
        lag.note(organization, nextDue: try await retention.nextDue(in: organization))
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

    private func purge(_ organization: OrganizationID, at instant: Timestamp) async throws {
        var (interactions, decisions) = (0, 0)
        while true {
            let step = try await retention.purge(organization, at: instant, limit: Self.rowsPerStep)
            interactions += step.interactions
            decisions += step.decisions
            guard !step.isLast else { break }
            try await Task.sleep(for: Self.rest)
        }
        guard interactions + decisions > 0 else { return }
        logger.info(
            "forgot what is kept no longer",
            metadata: [
                "organization": "\(organization)", "interactions": "\(interactions)", "decisions": "\(decisions)",
            ])
    }
}
