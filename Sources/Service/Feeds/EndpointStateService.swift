import Identifiers
import Logging
import ServiceLifecycle
import UseCases
import Webhooks

/// Reads the states of endpoints and the waiting deliveries, for the metrics. Logs endpoints that cannot be read.
struct EndpointStateService: Service {
    private static let interval = Duration.seconds(30)

    let metrics: DeliveryMetrics
    let store: any DeliveryStore
    let now: @Sendable () -> Timestamp
    let logger: Logger

    func run() async {
        await cancelWhenGracefulShutdown {
            var named: Set<EndpointID> = []
            var step = RepeatedStep(failure: "the states of endpoints cannot be read", logger: logger)
            repeat {
                // If they cannot be read, the numbers stay unchanged.
                let refreshed = await step.run { try await metrics.refresh(store, at: now()) }
                guard let unreadable = refreshed else { continue }
                for endpoint in unreadable.subtracting(named) {
                    logger.error(
                        "an endpoint cannot be read and gets no events; delete it and make it again",
                        metadata: ["endpoint": "\(endpoint)"])
                }
                named = unreadable
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }
}
