import Organizations
import Synchronization

/// Waits for answers of a store for a while only, where the console can do without: a store that is away takes many seconds
/// to say so.
///
/// What was asked goes on after that. So what is asked must itself note what it finds out. A store that gave no answer in
/// time is waited for less long until it answers again.
package final class StoreWait: Sendable {
    /// The store gave no answer in time, and may have done what it was asked for all the same.
    struct Silence: StoreFailure {
        let description = "the store gave no answer in time"
        let isTransient = true
    }

    private struct State {
        /// Whether the last answer that was waited for did not come in time.
        var isSilent = false
        /// Questions that go on although nobody waits for their answers any more.
        var abandoned = 0
    }

    /// With more of them the store is not asked.
    private static let mostAbandoned = 64

    private let patience: Duration
    private let patienceWithSilent: Duration
    /// Guards whether the store answers, and how many questions wait for it.
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long an answer may take.
    ///   - patienceWithSilent: the same, while the store is silent.
    package init(patience: Duration = .seconds(1), patienceWithSilent: Duration = .milliseconds(100)) {
        self.patience = patience
        self.patienceWithSilent = patienceWithSilent
    }

    /// - Throws: ``Silence`` where there is no answer in time, and what `ask` throws in time.
    func answer<Value: Sendable>(_ ask: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (isSilent, mayAsk) = state.withLock { ($0.isSilent, $0.abandoned < Self.mostAbandoned) }
        guard mayAsk else { throw Silence() }
        let patience = isSilent ? patienceWithSilent : self.patience
        return try await withCheckedThrowingContinuation { continuation in
            let first = FirstResult(continuation)
            let timer = Task {
                try await Task.sleep(for: patience)
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

/// Gives the first of several results to one that waits.
private final class FirstResult<Value: Sendable>: Sendable {
    /// Guards the one that waits; `nil` once it has a result.
    private let waiting: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ waiting: CheckedContinuation<Value, any Error>) { self.waiting = Mutex(waiting) }

    /// - Returns: whether it is the first.
    func give(_ result: Result<Value, any Error>) -> Bool {
        let waiting = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(with: result)
        return waiting != nil
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
