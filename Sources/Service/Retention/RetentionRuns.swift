import Console
import Identifiers
import Organizations
import Synchronization

/// Remembers what was deleted by retention since the process started.
final class RetentionRuns: Sendable {
    /// Guards the deletions so far.
    private let state = Mutex(RetentionActivity())

    var activity: RetentionActivity { state.withLock { $0 } }

    func add(_ step: Purge) {
        state.withLock { activity in
            activity.interactions += step.interactions
            activity.decisions += step.decisions
            activity.accesses += step.accesses
        }
    }

    /// Notes that a run over all organizations ended.
    func didEnd(at now: Timestamp, nextAfter interval: Duration) {
        state.withLock { activity in
            activity.lastEnd = now
            activity.nextRun = now.advanced(by: interval)
        }
    }

    /// Notes that another node does the job.
    func didLeave() { state.withLock { $0.nextRun = nil } }
}
