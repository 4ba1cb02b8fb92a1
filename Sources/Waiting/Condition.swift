import Synchronization

/// A state that tasks wait for: a condition variable, whose waits suspend a task and block no thread.
///
/// A wait ends as soon as the state answers its need. It may be read, changed and waited for on any thread.
package final class Condition<State: Sendable, Need: Sendable, Answer: Sendable>: Sendable {
    private struct Wait {
        let need: Need
        let continuation: CheckedContinuation<Answer?, Never>
    }

    private struct Guarded {
        var state: State
        var waits: [UInt64: Wait] = [:]
        var lastWait: UInt64 = 0
    }

    /// Guards the state and the waits. Held to read or change them, never across a suspension.
    private let guarded: Mutex<Guarded>
    private let answer: @Sendable (State, Need) -> Answer?

    /// - Parameter answer: what the state answers to a need; `nil` as long as it has no answer. It is called under the
    ///   lock, so it must be quick and must not use the condition.
    package init(_ state: State, answer: @escaping @Sendable (State, Need) -> Answer?) {
        guarded = Mutex(Guarded(state: state))
        self.answer = answer
    }

    package var state: State { guarded.withLock { $0.state } }

    /// How many tasks wait now.
    package var waitCount: Int { guarded.withLock { $0.waits.count } }

    /// Changes the state, and ends the waits that it answers then.
    ///
    /// - Parameter body: called under the lock. What it threw after a change leaves the change and ends no wait.
    package func change<Result: Sendable>(_ body: (inout State) throws -> Result) rethrows -> Result {
        let (result, answered) = try guarded.withLock { guarded in
            let result = try body(&guarded.state)
            var answered: [(CheckedContinuation<Answer?, Never>, Answer)] = []
            guard !guarded.waits.isEmpty else { return (result, answered) }
            for (number, wait) in guarded.waits {
                guard let answer = answer(guarded.state, wait.need) else { continue }
                answered.append((wait.continuation, answer))
                guarded.waits[number] = nil
            }
            return (result, answered)
        }
        for (continuation, answer) in answered { continuation.resume(returning: answer) }
        return result
    }

    /// Waits until the state answers `need`.
    ///
    /// - Parameters:
    ///   - limit: how long it waits at most; without a limit if `nil`.
    ///   - begins: called once the task waits; not called if the answer is there already.
    /// - Returns: `nil` if the time was over or the task was cancelled first.
    package func wait(
        for need: Need, atMost limit: Duration? = nil, begins: () -> Void = {}
    ) async -> Answer? {
        let number = guarded.withLock { guarded in
            guarded.lastWait += 1
            return guarded.lastWait
        }
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard begin(number, need, continuation) else { return }
                timer = limit.map { limit in
                    Task {
                        try await Task.sleep(for: limit)
                        end(number)
                    }
                }
                begins()
            }
        } onCancel: {
            end(number)
        }
    }

    /// - Returns: whether the task waits; `false` if it was resumed.
    private func begin(
        _ number: UInt64, _ need: Need, _ continuation: CheckedContinuation<Answer?, Never>
    ) -> Bool {
        let (waits, answer): (Bool, Answer?) = guarded.withLock { guarded in
            let answer = self.answer(guarded.state, need)
            // If the task was cancelled before this point, the cancellation handler found no wait to end.
            guard answer == nil, !Task.isCancelled else { return (false, answer) }
            guarded.waits[number] = Wait(need: need, continuation: continuation)
            return (true, nil)
        }
        if !waits { continuation.resume(returning: answer) }
        return waits
    }

    private func end(_ number: UInt64) {
        guarded.withLock { $0.waits.removeValue(forKey: number) }?.continuation.resume(returning: nil)
    }
}
