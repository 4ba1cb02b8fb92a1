package import Counting
package import Identifiers
import Synchronization
package import Webhooks

/// Counts the results of deliveries that relays reported to this node, and the endpoints in each state.
package final class DeliveryMetrics: MetricSource {
    private enum Outcome: Int, Counted {
        case delivered
        case failed
    }

    private struct Known {
        var counts: [EndpointState: Int] = [:]
        var lag = Duration.zero
        var oldestAge = Duration.zero
    }

    private let attempts = CaseCounters<Outcome>()
    /// Guards the values that were last read from the store.
    private let known = Mutex(Known())

    func count(_ outcome: DeliveryOutcome) {
        attempts.add(1, outcome.isDelivered ? Outcome.delivered : Outcome.failed)
    }

    /// Reads the number of endpoints and the events that wait. Must be called regularly.
    /// - Returns: the endpoints that cannot be read.
    package func refresh(_ store: any DeliveryStore, at now: Timestamp) async throws -> Set<EndpointID> {
        let counts = try await store.counts()
        let backlog = try await store.backlog(at: now)
        known.withLock {
            $0 = Known(
                counts: counts, lag: Self.age(of: backlog.dueSince, at: now),
                oldestAge: Self.age(of: backlog.oldestEvent, at: now))
        }
        return backlog.unreadable
    }

    private static func age(of instant: Timestamp?, at now: Timestamp) -> Duration {
        guard let instant else { return .zero }
        return .milliseconds(max(now.millisecondsSince1970 - instant.millisecondsSince1970, 0))
    }

    package var metrics: [MetricFamily] {
        let known = known.withLock { $0 }
        return [
            .counters(
                "consentlink_webhook_attempts_total",
                "Attempts to deliver an event to an endpoint that a relay reported to this node.", by: "outcome",
                [attempts]),
            .gauges(
                "consentlink_webhook_endpoints",
                "Endpoints by state: failing ones got nothing but failures for five days, gone ones answered 410.",
                EndpointState.allCases.map { ([.init("state", $0.rawValue)], Double(known.counts[$0] ?? 0)) }),
            .gauge(
                "consentlink_webhook_lag_seconds",
                "Seconds for which the event that has waited longest for a relay has been due; 0 when none waits.",
                known.lag / .seconds(1)),
            .gauge(
                "consentlink_webhook_oldest_event_age_seconds",
                "Seconds since the oldest event that an enabled endpoint has not taken, pauses included; 0 for none.",
                known.oldestAge / .seconds(1)),
        ]
    }
}
