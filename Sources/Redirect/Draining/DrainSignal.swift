import Synchronization

/// Tells the drain that there is something to do. Signals that nobody waits for add up to one.
///
/// One task waits at a time.
package final class DrainSignal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: CheckedContinuation<Void, Never>?
        /// Which wait it is, so that a limit that has run out ends no later one.
        var wait = 0
    }

    /// Guards who waits; held to look and to leave a note.
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
            // Ends it also where it has not begun to wait yet.
            state.wait += 1
            return state.waiter.take()
        }
        waiter?.resume()
    }
}
