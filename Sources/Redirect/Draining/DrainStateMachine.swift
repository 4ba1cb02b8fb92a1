/// The drain's next step, as a value: the caller says how each batch ended and what the spool holds. The machine has no
/// clock, no spool and no store.
struct DrainStateMachine {
    /// The longest wait between two attempts after failures.
    static let maximumBackoff = Duration.seconds(5)

    enum Action: Equatable {
        /// Drain one batch, then call ``drained(isEmpty:)`` or ``failed()``.
        case drain
        /// Wait until a commit brings something into the spool.
        case awaitCommit
        /// Wait for the time, or until a caller waits for what is in the spool.
        case rest(Duration)
        /// Wait for the time, whatever happens.
        case backOff(Duration)
    }

    private enum State {
        case ready
        /// The spool was empty.
        case empty
        /// Something came into the empty spool; more may come at the same moment.
        case gathering
        case failed
    }

    private var state = State.ready
    private var throttle: DrainThrottle
    /// The wait after the next failure.
    private var backoff = DrainThrottle.interval

    init(throttle: DrainThrottle) { self.throttle = throttle }

    mutating func next(_ now: DrainThrottle.Observation) -> Action {
        switch state {
        case .ready: return throttle.rests(now) ? .rest(DrainThrottle.interval) : .drain
        case .empty:
            state = .gathering
            return .awaitCommit
        case .gathering:
            state = .ready
            return .rest(DrainThrottle.interval)
        case .failed:
            state = .ready
            defer { backoff = min(backoff * 2, Self.maximumBackoff) }
            return .backOff(backoff)
        }
    }

    /// - Parameter isEmpty: whether there was nothing to drain.
    mutating func drained(isEmpty: Bool) {
        state = isEmpty ? .empty : .ready
        backoff = DrainThrottle.interval
    }

    mutating func failed() { state = .failed }
}
