import Synchronization
import Waiting

/// A result with a deadline, which moves while its work makes progress.
final class TimedResult<Value: Sendable>: Sendable {
    private let first: FirstResult<Value, any Error>
    private let deadline: Mutex<ContinuousClock.Instant>

    /// - Parameter waiting: resumed with the first result.
    init(_ waiting: CheckedContinuation<Value, any Error>, within duration: Duration) {
        first = FirstResult(waiting)
        deadline = Mutex(.now + duration)
    }

    /// - Returns: whether the continuation was still waiting.
    func give(_ result: Result<Value, any Error>) -> Bool { first.give(result) }

    /// Moves the deadline: the work has made progress, and gets this much time from now on.
    func wait(upTo duration: Duration) { deadline.withLock { $0 = .now + duration } }

    /// Waits until the result is given, or the time is over: then it gives `error`.
    /// - Returns: whether the time was over first.
    func expires(with error: any Error) async -> Bool {
        while first.isAwaited {
            let deadline = deadline.withLock { $0 }
            guard ContinuousClock.now < deadline else { return give(.failure(error)) }
            try? await Task.sleep(until: deadline)
        }
        return false
    }
}
