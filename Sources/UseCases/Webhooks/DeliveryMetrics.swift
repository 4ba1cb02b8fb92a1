package import Counting
import Synchronization
package import Webhooks

/// Counts what became of deliveries that relays told this node of, and knows how many endpoints there are in which state.
package final class DeliveryMetrics: MetricSource {
    private enum Outcome: Int, Counted {
        case delivered
        case failed
    }

    private let attempts = CaseCounters<Outcome>()
    /// Guards what was last read of the store.
    private let endpoints = Mutex<[EndpointState: Int]>([:])

    func note(_ outcome: DeliveryOutcome) {
        attempts.add(1, outcome.isDelivered ? Outcome.delivered : Outcome.failed)
    }

    /// Reads how many endpoints there are. To be called now and then.
    package func refresh(_ store: any DeliveryStore) async throws {
        let counts = try await store.counts()
        endpoints.withLock { $0 = counts }
    }

    package var metrics: [MetricFamily] {
        let counts = endpoints.withLock { $0 }
        return [
            .counters(
                "consentlink_webhook_attempts_total",
                "Attempts to deliver an event to an endpoint that a relay told this node of.", by: "outcome",
                [attempts]),
            .gauges(
                "consentlink_webhook_endpoints",
                "Endpoints by state: failing ones got nothing but failures for five days, gone ones answered 410.",
                EndpointState.allCases.map { ([.init("state", $0.rawValue)], Double(counts[$0] ?? 0)) }),
        ]
    }
}
