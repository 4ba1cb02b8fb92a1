import Synchronization

/// The end of the process, as fronts are told of it: from its beginning on the service is not ready, so that a front which
/// asks has taken it out before its listeners are closed.
package final class Departure: Sendable {
    /// A front asks more often than this; somebody who looks now and then does not.
    private static let longestPause = Duration.seconds(5)

    private struct Questions {
        var last: ContinuousClock.Instant?
        var beforeLast: ContinuousClock.Instant?
    }

    private let begun = Atomic(false)
    private let questions = Mutex(Questions())

    /// Of a process that goes on for now.
    package init() {}

    /// Whether the process ends, and is ready for nothing any more.
    package var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// From now on the service is not ready. May be called again, which changes nothing.
    package func begin() { begun.store(true, ordering: .releasing) }

    /// Must be called whenever somebody asks whether the service is ready.
    package func noteQuestion(at now: ContinuousClock.Instant = .now) {
        questions.withLock { questions in
            questions.beforeLast = questions.last
            questions.last = now
        }
    }

    /// Whether a front asks again and again: the last two questions are from the last five seconds.
    package func isWatched(at now: ContinuousClock.Instant = .now) -> Bool {
        questions.withLock { $0.beforeLast }.map { now - $0 < Self.longestPause } ?? false
    }
}
