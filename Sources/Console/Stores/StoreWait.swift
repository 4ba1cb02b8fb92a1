import StoragePorts
import Synchronization
import Waiting

/// Waits for answers of a store only for a while, if the console can do without them: an unavailable store takes many
/// seconds to fail.
///
/// The query continues after that, so it must itself note what it finds out. After an answer that did not come in time,
/// waits are shorter until the store answers again.
package final class StoreWait: Sendable {
    /// The store gave no answer in time. It may have carried out the request nevertheless.
    struct Silence: StoreFailure {
        let description = "the store gave no answer in time"
        let isTransient = true
    }

    private struct State {
        /// Whether the last awaited answer did not come in time.
        var isSilent = false
        /// Queries that continue although no caller waits for their answers any more.
        var abandoned = 0
    }

    /// If there are more of them, the store is not asked.
    private static let maximumAbandonedCount = 64

    private let timeout: Duration
    private let timeoutWithSilent: Duration
    /// Guards whether the store answers, and how many queries run without a caller.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - timeout: how long an answer may take.
    ///   - timeoutWithSilent: the same, after an answer that did not come in time.
    package init(timeout: Duration = .seconds(1), timeoutWithSilent: Duration = .milliseconds(100)) {
        self.timeout = timeout
        self.timeoutWithSilent = timeoutWithSilent
    }

    /// - Throws: ``Silence`` if there is no answer in time, and what `ask` throws in time.
    func answer<Value: Sendable>(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (isSilent, mayAsk) = state.withLock { ($0.isSilent, $0.abandoned < Self.maximumAbandonedCount) }
        guard mayAsk else { throw Silence() }
        let timeout = isSilent ? timeoutWithSilent : self.timeout
        return try await withCheckedThrowingContinuation { continuation in
            let first = FirstResult(continuation)
            let timer = Task {
                try await Task.sleep(for: timeout)
                state.withLock { state in
                    guard first.give(.failure(Silence())) else { return }
                    state.isSilent = true
                    state.abandoned += 1
                }
            }
            Task {
                let result: Result<Value, any Error>
                do { result = .success(try await ask()) } catch { result = .failure(error) }
                timer.cancel()
                state.withLock { state in
                    if !(result.failure is any StoreFailure) { state.isSilent = false }
                    if !first.give(result) { state.abandoned -= 1 }
                }
            }
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
