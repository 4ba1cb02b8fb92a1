import StoragePorts
import Waiting

/// Waits a while until every node has the ring of signing keys that was written last.
///
/// The database that tells it may stand still: it takes connections and answers nothing, and a question fails only
/// after its own limit of time. This waits no longer than it says.
struct RingWait {
    let timeout: Duration
    /// Between two questions.
    let pause: Duration

    /// - Parameter ask: returns the nodes that do not have the ring. A question that is not answered in time continues
    ///   by itself, and its answer is dropped.
    /// - Returns: the nodes that do not have the ring, by the last answer: a node that has it keeps it.
    /// - Throws: ``NodesUnknown`` if no answer came in time; what `ask` throws if nothing was answered before.
    func missing(_ ask: @escaping @Sendable () async throws -> [NodeName]) async throws -> [NodeName] {
        let deadline = ContinuousClock.now + timeout
        var missing = try await Self.answer(to: ask, until: deadline)
        while !missing.isEmpty, ContinuousClock.now < deadline {
            try await Task.sleep(for: pause)
            do {
                missing = try await Self.answer(to: ask, until: deadline)
            } catch is any StoreFailure {
                // A database that fails over may answer again before the time is over.
            }
        }
        return missing
    }

    private static func answer(
        to ask: @escaping @Sendable () async throws -> [NodeName], until deadline: ContinuousClock.Instant
    ) async throws -> [NodeName] {
        try await withCheckedThrowingContinuation { continuation in
            let first = FirstResult(continuation)
            let timer = Task {
                try await Task.sleep(until: deadline)
                first.give(.failure(NodesUnknown()))
            }
            Task {
                do { first.give(.success(try await ask())) } catch { first.give(.failure(error)) }
                timer.cancel()
            }
        }
    }
}

/// The database did not say in time which nodes have the ring.
struct NodesUnknown: StoreFailure, Equatable {
    let description = "the database did not answer in time which nodes have the signing keys"
    let isTransient = true
}
