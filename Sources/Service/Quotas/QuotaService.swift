import ServiceLifecycle
import UseCases

/// Compares every second what organizations have stored with their quotas.
struct QuotaService: Service {
    private static let interval = Duration.seconds(1)

    let quotas: QuotaEnforcer

    func run() async {
        await cancelWhenGracefulShutdown {
            // A store that cannot be asked says so itself; links stay as they were.
            while (try? await Task.sleep(for: Self.interval)) != nil { try? await quotas.measure() }
        }
    }
}
