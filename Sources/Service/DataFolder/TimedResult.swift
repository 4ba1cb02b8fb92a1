import Synchronization

/// A result that is waited for until a time, which moves as the work for it gets on.
final class TimedResult<Value: Sendable>: Sendable {
    private struct State {
        /// `nil` once it was given.
        var waiting: CheckedContinuation<Value, any Error>?
        var end: ContinuousClock.Instant
    }

    private let state: Mutex<State>

    /// - Parameter waiting: is resumed with what is given first.
    init(_ waiting: CheckedContinuation<Value, any Error>, within duration: Duration) {
        state = Mutex(State(waiting: waiting, end: .now + duration))
    }

    /// - Returns: whether somebody was waiting for it still.
    func give(_ result: Result<Value, any Error>) -> Bool {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: result)
        return waiting != nil
    }

    /// It is waited for from now on as long.
    func wait(upTo duration: Duration) { state.withLock { $0.end = .now + duration } }

    /// Waits until it was given, or the time is over: then it is given `error`.
    /// - Returns: whether the time was over first.
    func expires(with error: any Error) async -> Bool {
        while let end = state.withLock({ $0.waiting == nil ? nil : $0.end }) {
            guard ContinuousClock.now < end else { return give(.failure(error)) }
            try? await Task.sleep(until: end)
        }
        return false
    }
}
