import Synchronization

/// A result with a deadline, which moves while its work makes progress.
final class TimedResult<Value: Sendable>: Sendable {
    private struct State {
        /// `nil` once the result was given.
        var waiting: CheckedContinuation<Value, any Error>?
        var end: ContinuousClock.Instant
    }

    private let state: Mutex<State>

    /// - Parameter waiting: resumed with the first result.
    init(_ waiting: CheckedContinuation<Value, any Error>, within duration: Duration) {
        state = Mutex(State(waiting: waiting, end: .now + duration))
    }

    /// - Returns: whether the continuation was still waiting.
    func give(_ result: Result<Value, any Error>) -> Bool {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: result)
        return waiting != nil
    }

    /// From now on waits for this duration.
    func wait(upTo duration: Duration) { state.withLock { $0.end = .now + duration } }

    /// Waits until the result is given, or the time is over: then it gives `error`.
    /// - Returns: whether the time was over first.
    func expires(with error: any Error) async -> Bool {
        while let end = state.withLock({ $0.waiting == nil ? nil : $0.end }) {
            guard ContinuousClock.now < end else { return give(.failure(error)) }
            try? await Task.sleep(until: end)
        }
        return false
    }
}
