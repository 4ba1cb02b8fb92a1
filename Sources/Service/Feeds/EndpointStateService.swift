import ServiceLifecycle
import UseCases
import Webhooks

/// Reads how many endpoints there are in which state, for the metrics.
struct EndpointStateService: Service {
    private static let interval = Duration.seconds(15)

    let metrics: DeliveryMetrics
    let store: any DeliveryStore

    func run() async {
        await cancelWhenGracefulShutdown {
            // A store that cannot be asked says so itself; the numbers stay as they were.
            repeat { try? await metrics.refresh(store) } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
