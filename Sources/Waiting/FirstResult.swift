import Synchronization

/// Gives the first of several results to one waiting task. The others are dropped.
package final class FirstResult<Value: Sendable, Failure: Error>: Sendable {
    /// Guards the waiting task; `nil` once it has a result. Held to take it.
    private let waiting: Mutex<CheckedContinuation<Value, Failure>?>

    /// - Parameter waiting: resumed once, with the first result.
    package init(_ waiting: CheckedContinuation<Value, Failure>) { self.waiting = Mutex(waiting) }

    /// Whether no result was given yet.
    package var isAwaited: Bool { waiting.withLock { $0 != nil } }

    /// - Returns: whether it is the first.
    @discardableResult
    package func give(_ result: Result<Value, Failure>) -> Bool {
        guard let waiting = take() else { return false }
        waiting.resume(with: result)
        return true
    }

    /// The waiting task, for a caller that has something to do before it resumes it.
    ///
    /// - Returns: `nil` if it has a result.
    package func take() -> CheckedContinuation<Value, Failure>? { waiting.withLock { $0.take() } }
}
