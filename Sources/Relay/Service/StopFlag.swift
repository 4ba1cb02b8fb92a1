import Synchronization

/// Signals that the relay is stopping, and cancels work that can be cancelled without loss.
final class StopFlag: Sendable {
    private struct State {
        var isRaised = false
        var last: UInt64 = 0
        var cancellations: [UInt64: @Sendable () -> Void] = [:]
    }

    /// Guards the flag and the work to cancel; held to read or change them.
    private let state = Mutex(State())

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        let cancellations = state.withLock { state in
            state.isRaised = true
            return Array(state.cancellations.values)
        }
        for cancel in cancellations { cancel() }
    }

    /// Runs `work`, which is cancelled when the flag is raised.
    func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await work() }
        let id = state.withLock { state in
            state.last += 1
            state.cancellations[state.last] = { task.cancel() }
            return state.last
        }
        defer { state.withLock { _ = $0.cancellations.removeValue(forKey: id) } }
        if isRaised { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
