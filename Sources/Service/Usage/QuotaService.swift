import ServiceLifecycle
import UseCases

/// Compares the number of stored interactions of organizations with their quotas every second.
struct QuotaService: Service {
    private static let interval = Duration.seconds(1)

    let quotas: QuotaEnforcer

    func run() async {
        await cancelWhenGracefulShutdown {
            // A store that cannot be asked logs that itself; links stay as they were.
            while (try? await Task.sleep(for: Self.interval)) != nil { try? await quotas.measure() }
        }
    }
}
