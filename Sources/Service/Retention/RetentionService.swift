import Identifiers
import Logging
import Organizations
import ServiceLifecycle

/// Forgets in the background what organizations keep no longer: at the start, then every minute.
struct RetentionService: Service {
    private static let interval = Duration.seconds(60)
    /// A step holds the writer for some milliseconds, and then lets others go first.
    private static let rowsPerStep = 500
    private static let rest = Duration.milliseconds(20)

    let organizations: any OrganizationStore
    let retention: any RetentionStore
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            repeat {
                do {
                    for organization in try await organizations.all() where organization.retention != .forever {
                        try await purge(organization.id)
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

    private func purge(_ organization: OrganizationID) async throws {
        var (interactions, decisions) = (0, 0)
        while true {
            let step = try await retention.purge(organization, at: now(), limit: Self.rowsPerStep)
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
