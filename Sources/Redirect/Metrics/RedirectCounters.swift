package import Counting
import HTTPConnections
package import Interactions
import NIOCore

/// Counts the outcomes of requests for links and of clicks on one event loop. Event loops share no counter.
package final class RedirectCounters: Sendable {
    let outcomes = CaseCounters<RedirectOutcome>()
    /// The time from a whole request to its answer.
    let seconds = Histogram(boundsInMicroseconds: [
        100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 3_000_000,
        5_000_000,
    ])
    /// Clicks that became durable, including those whose reader was redirected before, or had disconnected.
    let spooled = CounterArray(count: 1)
    let unrecorded = CaseCounters<UnrecordedReason>()
    /// Clicks that were counted as unrecorded, because they took too long, and became durable later.
    let late = CounterArray(count: 1)

    let refused = CaseCounters<RefusedConnection>()

    init() {}

    /// A request for a link was answered.
    /// - Parameter start: when the whole request was there.
    func answered(_ outcome: RedirectOutcome, since start: NIODeadline, at end: NIODeadline = .now()) {
        outcomes.add(1, outcome)
        seconds.observe(nanoseconds: (end - start).nanoseconds)
    }

    /// The spool has answered for clicks whose readers were waiting.
    func completed(_ clicks: Int, _ outcome: SpoolOutcome) {
        switch outcome {
        case .recorded: spooled.add(UInt64(clicks), at: 0)
        case .unrecorded(let reason): unrecorded.add(clicks, reason)
        }
    }

    /// A click was not recorded because its organization has stored as many interactions as it may.
    func overQuota() { unrecorded.add(1, .quota) }

    /// The spool has answered for openings whose readers were waiting. Those that became durable are counted by the
    /// spool alone.
    func openingsCompleted(_ openings: Int, _ outcome: SpoolOutcome) {
        if case .unrecorded(let reason) = outcome { unrecorded.add(openings, reason) }
    }

    /// The spool has answered for openings whose readers got the picture earlier.
    func openingsCompletedLate(_ openings: Int, _ outcome: SpoolOutcome) {
        if case .recorded = outcome { late.add(UInt64(openings), at: 0) }
    }

    /// An opening was not recorded because its tracking ID was used too often.
    package func overRate() { unrecorded.add(1, .rate) }

    /// An opening could not be recorded.
    package func openingUnrecorded(_ reason: UnrecordedReason) { unrecorded.add(1, reason) }

    /// An opening that was counted as unrecorded, because it took too long, became durable after all.
    package func openingRecordedLate() { late.add(1, at: 0) }

    /// Readers were redirected because the spool did not answer in time.
    func abandoned(_ clicks: Int) { unrecorded.add(clicks, .stuck) }

    /// The spool has answered for clicks whose readers were redirected earlier.
    func completedLate(_ clicks: Int, _ outcome: SpoolOutcome) {
        guard case .recorded = outcome else { return }
        spooled.add(UInt64(clicks), at: 0)
        late.add(UInt64(clicks), at: 0)
    }
}

/// The sums of the counters of all event loops.
package struct RedirectMetrics: MetricSource {
    let counters: [RedirectCounters]
    let limit: ConnectionLimit

    package var metrics: [MetricFamily] {
        let seconds = HistogramReading.total(of: counters.map(\.seconds.reading)).map {
            MetricFamily.histogram(
                "consentlink_redirect_seconds", "Seconds from a whole request for a link to its answer.", $0)
        }
        return [
            .counters(
                "consentlink_redirects_total", "Requests for links that were answered, by outcome.",
                by: "outcome", counters.map(\.outcomes)),
            .counter(
                "consentlink_clicks_spooled_total", "Clicks that became durable in the spool.",
                counters.reduce(0) { $0 + $1.spooled[0] }),
            .counters(
                "consentlink_clicks_unrecorded_total",
                "Clicks and openings that were not durable when their reader was answered, by reason.",
                by: "reason", counters.map(\.unrecorded)),
            .counter(
                "consentlink_clicks_recorded_late_total",
                "Clicks and openings counted as unrecorded (stuck) that became durable after all.",
                counters.reduce(0) { $0 + $1.late[0] }),
            .gauge(
                "consentlink_open_connections", "Connections of the public listener.", Double(limit.openCount)),
            .counters(
                "consentlink_connections_refused_total",
                "Connections of the public listener that were closed before a whole request, or for their number.",
                by: "reason", counters.map(\.refused)),
        ] + [seconds].compactMap { $0 }
    }
}

extension RedirectMetrics {
    /// Clicks that became durable since the start.
    package var recordedClicks: UInt64 { counters.reduce(0) { $0 + $1.spooled[0] } }

    /// Clicks since the start that were not durable when their reader was redirected.
    package func unrecordedClicks(_ reason: UnrecordedReason) -> UInt64 {
        counters.reduce(0) { $0 + $1.unrecorded[reason] }
    }
}
