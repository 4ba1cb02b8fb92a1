import AsyncHTTPClient

/// Runs `work`, which may take no longer than `limit`.
///
/// - Throws: `HTTPClientError.deadlineExceeded` if it takes longer, after `work` was cancelled and has ended; else what
///   `work` throws.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { tasks in
        tasks.addTask { try await work() }
        tasks.addTask {
            try await limit.wait()
            throw HTTPClientError.deadlineExceeded
        }
        defer { tasks.cancelAll() }
        guard let value = try await tasks.next() else { throw CancellationError() }
        return value
    }
}

extension Duration {
    /// The length in nanoseconds, for the time limits of NIO. Lengths beyond 292 years are cut to that.
    var wholeNanoseconds: Int64 {
        let length = min(max(self, .nanoseconds(Int64.min)), .nanoseconds(Int64.max))
        return length.components.seconds * 1_000_000_000 + length.components.attoseconds / 1_000_000_000
    }

    /// Returns when the time has passed, after 292 years at most: the clock traps on a moment that is further away.
    ///
    /// - Throws: `CancellationError`.
    func wait() async throws { try await Task.sleep(for: .nanoseconds(wholeNanoseconds)) }
}
