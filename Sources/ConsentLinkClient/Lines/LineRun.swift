/// An exchange in a task of its own, which ends with this value.
final class LineRun: Sendable {
    private let handover = LineHandover()
    private let task: Task<Void, Never>

    /// - Parameter feed: gives the window its lines and returns after the last.
    init(_ exchange: LineExchange, feed: @escaping @Sendable (LineWindow) async throws -> Void) {
        task = Task { [handover] in
            try? await withThrowingTaskGroup(of: Bool.self) { tasks in
                tasks.addTask {
                    try await Self.telling(handover) {
                        try await feed(exchange.window)
                        exchange.window.end()
                    }
                    return false
                }
                tasks.addTask {
                    try await Self.telling(handover) { try await exchange.run { try await handover.send($0) } }
                    handover.finish()
                    return true
                }
                defer { tasks.cancelAll() }
                for try await isDone in tasks where isDone { return }
            }
        }
    }

    /// Reports a failure to the reader at once. The other task may run for long: lines may come from a pipe, and
    /// reading a pipe does not end when the task is cancelled.
    private static func telling(_ handover: LineHandover, _ work: () async throws -> Void) async throws {
        do {
            try await work()
        } catch {
            handover.finish(error)
            throw error
        }
    }

    deinit { task.cancel() }

    /// The next answered lines. The call acknowledges that the previous ones were read.
    func next() async throws -> LineBatch? { try await handover.next() }
}
