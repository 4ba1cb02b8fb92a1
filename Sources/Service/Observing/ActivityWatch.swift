import Console
import Identifiers
import Interactions
import Redirect
import ServiceLifecycle
import Synchronization

/// Looks at the counters of the redirect every second, and remembers the last 24 hours and since when clicks are lost.
///
/// A second, so that the time at which a loss began is told to the second; what is kept is by minutes. One look is some
/// hundred loads of atomic counters.
final class ActivityWatch: Service {
    private static let interval = Duration.seconds(1)

    private struct State {
        var history = DayHistory()
        var losses = LossWatch()
    }

    private let metrics: RedirectMetrics
    private let writer: SpoolWriter
    private let now: @Sendable () -> Timestamp
    /// Guards what is remembered, and that looks come one after the other.
    private let state = Mutex(State())

    init(metrics: RedirectMetrics, writer: SpoolWriter, now: @escaping @Sendable () -> Timestamp) {
        self.metrics = metrics
        self.writer = writer
        self.now = now
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            repeat { _ = self.look() } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// What the counters say at this moment, and what is remembered with it.
    func look() -> (sample: ActivitySample, losses: LossWatch, history: DayHistory) {
        state.withLock { state in
            let sample = sample()
            let instant = now()
            state.history.note(sample, at: instant)
            state.losses.note(sample, at: instant)
            return (sample, state.losses, state.history)
        }
    }

    private func sample() -> ActivitySample {
        var unrecorded: [UnrecordedReason: UInt64] = [:]
        for reason in UnrecordedReason.allCases { unrecorded[reason] = metrics.unrecordedClicks(reason) }
        return ActivitySample(
            recorded: metrics.recordedClicks, unrecorded: unrecorded, spoolDepth: writer.counters.currentDepth,
            commits: writer.commitTimes, refusal: writer.unrecordedReason)
    }
}
