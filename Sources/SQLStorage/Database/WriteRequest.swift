import StoragePorts

/// A write that waits for its turn. All calls are on the writer's thread, in this order: ``run(in:translating:)``,
/// which may be repeated before the commit and be followed by ``refuse(_:)``, then ``answer(_:)`` or ``fail(_:)``.
protocol WriteRequest: Sendable {
    /// Whether it must have a transaction of its own.
    var isAlone: Bool { get }
    /// Whether it only reads, at a point between the writes of others.
    var changesNothing: Bool { get }
    /// How much it has to do.
    var load: WriteLoad { get }
    /// Does the write. If it throws, its changes are rolled back and the caller gets the error.
    /// - Parameter translating: converts an engine's error to the storage's own.
    func run(in writing: WriteContext, translating: (any Error) -> any Error) throws
    /// Called when its changes were undone after it had returned: an engine may find an error in a statement later. The
    /// rest of the group continues, and ``answer(_:)`` answers with the error.
    func refuse(_ error: any Error)
    /// - Parameter head: the end of the feed of rules after the commit, if several processes write to the database.
    func answer(_ head: RuleCursor?)
    /// Answers with the error that kept the group from being committed, or with the request's own error if it had one.
    func fail(_ error: any Error)
}

/// The result of a write.
struct Written<Value: Sendable>: Sendable {
    let value: Value
    /// The cursor up to which every node must have read the feed of rules before the caller gets the result; `nil` if
    /// no node must.
    let fence: RuleCursor?
}

final class PendingWrite<Value: Sendable>: WriteRequest, @unchecked Sendable {
    // Sendable: `result` is touched only on the writer's thread.
    private var result: Result<Value, any Error>?
    private var endsRecording = false
    let isAlone: Bool
    let changesNothing: Bool
    let load: WriteLoad
    private let body: @Sendable (WriteContext) throws -> Value
    private let continuation: CheckedContinuation<Written<Value>, any Error>

    init(
        isAlone: Bool,
        changesNothing: Bool,
        load: WriteLoad = .short,
        body: @escaping @Sendable (WriteContext) throws -> Value,
        continuation: CheckedContinuation<Written<Value>, any Error>
    ) {
        self.isAlone = isAlone
        self.changesNothing = changesNothing
        self.load = load
        self.body = body
        self.continuation = continuation
    }

    func run(in writing: WriteContext, translating: (any Error) -> any Error) throws {
        let savepoint = writing.savepoint
        do {
            result = .success(try body(writing))
            endsRecording = writing.endsRecording(since: savepoint)
        } catch {
            let error = translating(error)
            result = .failure(error)
            throw error
        }
    }

    func refuse(_ error: any Error) {
        if case .failure = result { return }
        result = .failure(error)
    }

    func answer(_ head: RuleCursor?) {
        guard let result else { preconditionFailure("a write is answered that was never run") }
        continuation.resume(with: result.map { Written(value: $0, fence: endsRecording ? head : nil) })
    }

    func fail(_ error: any Error) {
        if case .failure(let own) = result {
            continuation.resume(throwing: own)
        } else {
            continuation.resume(throwing: error)
        }
    }
}
