import Synchronization

/// Wakes the task that waits for it. Signals that arrive while no task waits count as one.
///
/// Only one task may wait at a time.
package final class WakeUpSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
        /// The number of the current wait, so that the limit of an earlier one does not end it.
        var wait = 0
    }

    /// Guards the waiting task. Held to read or change the state, never across a suspension.
    private let state = Mutex(State())

    package init() {}

    package func raise() {
        let waiter = state.withLock { state in
            state.isRaised = state.waiter == nil
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Returns when there was a signal since the last wait, when the task is cancelled, or after `limit`.
    func wait(atMost limit: Duration? = nil) async {
        let wait = state.withLock { state in
            state.wait += 1
            return state.wait
        }
        let timer = limit.map { limit in
            Task {
                try? await Task.sleep(for: limit)
                self.end(wait)
            }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.isRaised || state.wait > wait || Task.isCancelled else {
                        state.waiter = continuation
                        return false
                    }
                    state.isRaised = false
                    return true
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            end(wait)
        }
        timer?.cancel()
    }

    private func end(_ wait: Int) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.wait == wait else { return nil }
            // Also ends a wait that has its number and has not suspended yet.
            state.wait += 1
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
