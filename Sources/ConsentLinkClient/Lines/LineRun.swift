/// An exchange in a task of its own, which ends with this value.
final class LineRun: Sendable {
    private let handover = LineHandover()
    private let task: Task<Void, Never>

    /// - Parameter feed: gives the window its lines and returns after the last.
    init(_ exchange: LineExchange, feed: @escaping @Sendable (LineWindow) async throws -> Void) {
        task = Task { [handover] in
            do {
                try await withThrowingTaskGroup(of: Bool.self) { tasks in
                    tasks.addTask {
                        try await feed(exchange.window)
                        exchange.window.end()
                        return false
                    }
                    tasks.addTask {
                        try await exchange.run { try await handover.send($0) }
                        return true
                    }
                    defer { tasks.cancelAll() }
                    for try await isDone in tasks where isDone { return }
                }
                handover.finish()
            } catch {
                handover.finish(error)
            }
        }
    }

    deinit { task.cancel() }

    /// The next answered lines. Asking for them says that those before are read.
    func next() async throws -> LineBatch? { try await handover.next() }
}
