import Console
import Identifiers
import Interactions
import Redirect
import ServiceLifecycle
import Synchronization

/// Reads the counters of the redirect every second, and remembers the last 24 hours and since when clicks are lost.
///
/// It reads every second so that the beginning of a loss is exact to the second; it keeps minutes. One reading is some
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
    /// Guards the remembered data, and makes readings follow one another.
    private let state = Mutex(State())

    init(metrics: RedirectMetrics, writer: SpoolWriter, now: @escaping @Sendable () -> Timestamp) {
        self.metrics = metrics
        self.writer = writer
        self.now = now
    }

    func run() async {
        await cancelWhenGracefulShutdown {
            repeat { _ = self.update() } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// Remembers the present counters.
    /// - Returns: them, and the remembered data.
    func update() -> (sample: ActivitySample, losses: LossWatch, history: DayHistory) {
        state.withLock { state in
            let sample = sample()
            let instant = now()
            state.history.add(sample, at: instant)
            state.losses.add(sample, at: instant)
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
