import Logging
import ServiceLifecycle
import UseCases

/// Compares the number of stored interactions of organizations with their quotas every second.
struct QuotaService: Service {
    private static let interval = Duration.seconds(1)

    let quotas: QuotaEnforcer
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var step = RepeatedStep(failure: "the quotas cannot be measured", logger: logger)
            // If they cannot be measured, links stay as they were.
            while (try? await Task.sleep(for: Self.interval)) != nil { await step.run { try await quotas.measure() } }
        }
    }
}
