import Synchronization

/// Opens once, and then resumes all tasks that wait for it.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
        var lastWait = 0
        /// Waits that were cancelled before they began.
        var cancelled: Set<Int> = []
    }

    /// Guards the waiting tasks; held for one look-up or one insertion.
    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: true) }
    }

    /// Waits until it is open.
    ///
    /// - Returns: `false` if the task was cancelled before that.
    func wait() async -> Bool {
        let number = state.withLock { state in
            state.lastWait += 1
            return state.lastWait
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if state.isOpen { return true }
                    if state.cancelled.remove(number) != nil { return false }
                    state.waiting[number] = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let continuation = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: number)
                if continuation == nil { state.cancelled.insert(number) }
                return continuation
            }
            continuation?.resume(returning: false)
        }
    }
}
