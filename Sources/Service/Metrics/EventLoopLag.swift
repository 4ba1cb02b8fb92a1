import Counting
import NIOCore

/// How late the event loops are: a timer on each is set again and again. The time between its deadline and its run is
/// how long any other event of that loop may wait, including a click.
///
/// It costs nothing between two timers. NIO's own `NIOEventLoopMetricsDelegate` times the tasks of a loop but not its
/// reading and writing, in which links are answered, and is called in every turn of it.
final class EventLoopLag: MetricSource {
    static let interval = TimeAmount.milliseconds(250)

    private let lag = Histogram(boundsInMicroseconds: [
        500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000,
    ])

    /// Measures until the loops end.
    ///
    /// - Parameter now: the clock of a loop, called on that loop.
    init(
        of group: any EventLoopGroup, now: @escaping @Sendable (any EventLoop) -> NIODeadline = { $0.now }
    ) {
        for loop in group.makeIterator() { Self.measure(loop, lag, now) }
    }

    private static func measure(
        _ loop: any EventLoop, _ lag: Histogram, _ now: @escaping @Sendable (any EventLoop) -> NIODeadline
    ) {
        let due = now(loop) + interval
        loop.scheduleTask(deadline: due) {
            lag.observe(nanoseconds: (now(loop) - due).nanoseconds)
            measure(loop, lag, now)
        }
    }

    var metrics: [MetricFamily] {
        [
            .histogram(
                "consentlink_event_loop_lag_seconds",
                "Seconds by which a timer of an event loop ran late, four times a second on each loop.", lag.reading)
        ]
    }
}
