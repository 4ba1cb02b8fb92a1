/// A write that waits for its turn. All of it happens on the writer's thread, in this order: ``run(in:translating:)``,
/// which may be repeated before the commit, then ``committed()`` and ``answer()`` for every request of the group, or
/// ``fail(_:)``.
protocol WriteRequest: Sendable {
    /// Whether it wants a transaction of its own.
    var isAlone: Bool { get }
    /// Whether it only reads, between the writes of others.
    var changesNothing: Bool { get }
    /// Does the write. When it throws, what it did is rolled back and it is answered with the error.
    /// - Parameter translating: makes the storage's own error of an engine's.
    func run(in writing: WriteContext, translating: (any Error) -> any Error) throws
    /// Is called after the commit, for all requests of a group before any is answered.
    func committed()
    func answer()
    /// Answers with the error that kept the group from being committed, or with the request's own error if it had one.
    func fail(_ error: any Error)
}

final class PendingWrite<Value: Sendable>: WriteRequest, @unchecked Sendable {
    // Sendable: `result` is touched on the writer's thread alone.
    private var result: Result<Value, any Error>?
    let isAlone: Bool
    let changesNothing: Bool
    private let body: @Sendable (WriteContext) throws -> Value
    private let afterCommit: (@Sendable (Value) -> Void)?
    private let continuation: CheckedContinuation<Value, any Error>

    init(
        isAlone: Bool,
        changesNothing: Bool,
        body: @escaping @Sendable (WriteContext) throws -> Value,
        afterCommit: (@Sendable (Value) -> Void)?,
        continuation: CheckedContinuation<Value, any Error>
    ) {
        self.isAlone = isAlone
        self.changesNothing = changesNothing
        self.body = body
        self.afterCommit = afterCommit
        self.continuation = continuation
    }

    func run(in writing: WriteContext, translating: (any Error) -> any Error) throws {
        do {
            result = .success(try body(writing))
        } catch {
            let error = translating(error)
            result = .failure(error)
            throw error
        }
    }

    func committed() {
        if case .success(let value) = result { afterCommit?(value) }
    }

    func answer() {
        guard let result else { preconditionFailure("a write is answered that was never run") }
        continuation.resume(with: result)
    }

    func fail(_ error: any Error) {
        if case .failure(let own) = result {
            continuation.resume(throwing: own)
        } else {
            continuation.resume(throwing: error)
        }
    }
}
