import Interactions
import Synchronization

/// How far the spool is drained, and which callers wait for that.
final class DrainProgress: Sendable {
    private struct State {
        var position = DrainProgress.beginning
        var waiting: [Int: Waiter] = [:]
        var lastWaiter = 0
        var hasEnded = false
    }

    private struct Waiter {
        let position: SpoolPosition
        /// Resumed with whether everything up to that position is drained.
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// Before the start: what was set aside is not judged yet.
    private static let beginning = SpoolPosition(rawValue: SpoolPosition.start.rawValue - 1)

    /// Raised when a caller begins to wait.
    let requests = WakeUpSignal()
    private let state = Mutex(State())

    /// Everything up to here is drained.
    var position: SpoolPosition { state.withLock { $0.position } }
    var isAwaited: Bool { state.withLock { !$0.waiting.isEmpty } }

    func advance(to position: SpoolPosition) {
        let reached = state.withLock { state in
            state.position = position
            let reached = state.waiting.filter { $0.value.position <= position }
            for number in reached.keys { state.waiting[number] = nil }
            return reached.values
        }
        for waiter in reached { waiter.continuation.resume(returning: true) }
    }

    /// The drain has ended: all callers stop waiting, and later ones do not wait.
    func end() {
        let left = state.withLock { state in
            defer { state.waiting = [:] }
            state.hasEnded = true
            return state.waiting.values
        }
        for waiter in left { waiter.continuation.resume(returning: false) }
    }

    /// Waits until everything up to `position` is drained.
    /// - Returns: whether it is drained; `false` if the time is over, the task is cancelled or the drain has ended.
    @discardableResult
    func wait(for position: SpoolPosition, atMost limit: Duration) async -> Bool {
        let number = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            giveUp(number)
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere: Bool? = state.withLock { state in
                    guard state.position < position else { return true }
                    // If the task was cancelled before this point, the cancellation handler found no waiter to resume.
                    guard !state.hasEnded, !Task.isCancelled else { return false }
                    state.waiting[number] = Waiter(position: position, continuation: continuation)
                    return nil
                }
                if let isThere { return continuation.resume(returning: isThere) }
                requests.raise()
            }
        } onCancel: {
            giveUp(number)
        }
    }

    private func giveUp(_ number: Int) {
        state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume(returning: false)
    }
}
