import Synchronization

/// The end of the process, as fronts see it. From its beginning on the service is not ready, so that a front which asks
/// has removed it before its listeners are closed.
package final class Departure: Sendable {
    /// A front asks more often than this; a person who checks now and then does not.
    private static let maximumPause = Duration.seconds(5)

    private struct Questions {
        var last: ContinuousClock.Instant?
        var beforeLast: ContinuousClock.Instant?
    }

    private let begun = Atomic(false)
    private let questions = Mutex(Questions())

    /// A process that is not ending yet.
    package init() {}

    /// Whether the process is ending, so that no part of it is ready any more.
    package var hasBegun: Bool { begun.load(ordering: .acquiring) }

    /// From now on the service is not ready. Repeated calls change nothing.
    package func begin() { begun.store(true, ordering: .releasing) }

    /// Must be called for every request that asks whether the service is ready.
    package func recordProbe(at now: ContinuousClock.Instant = .now) {
        questions.withLock { questions in
            questions.beforeLast = questions.last
            questions.last = now
        }
    }

    /// Whether a front asks regularly: the last two requests are from the last five seconds.
    package func isWatched(at now: ContinuousClock.Instant = .now) -> Bool {
        questions.withLock { $0.beforeLast }.map { now - $0 < Self.maximumPause } ?? false
    }
}
