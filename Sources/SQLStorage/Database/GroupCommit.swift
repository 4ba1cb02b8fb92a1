package import Identifiers
import SQL
import Synchronization

/// Commits all waiting writes together: a sync costs the same for one write and for a hundred.
///
/// While a commit is under way requests gather. The next transaction takes all of them, each in a savepoint of its own,
/// so that a request that fails undoes only itself. One commit makes them durable. Then whoever follows the rules is told,
/// and only then are the callers answered. A request that wants to be alone gets a transaction of its own.
package final class GroupCommit: @unchecked Sendable {
    // Sendable: `writing` and `inDoubt` are touched on the writer's thread alone; `waiting` is guarded; the rest does not change.
    private let engine: any WriterEngine
    private let writing: WriteContext
    private let waiting = Mutex(Waiting())
    /// Whether whatever changes something is refused, with `StorageError.readOnly`.
    package let isReadOnly: Bool
    /// Whose transaction may have been committed although they were answered with an error.
    private var inDoubt: [any WriteRequest] = []
    private let commits = Atomic<UInt64>(0)

    /// How many transactions were committed. Is counted before their callers are answered.
    var count: UInt64 { commits.load(ordering: .acquiring) }

    private struct Waiting: ~Copyable {
        var requests: [any WriteRequest] = []
        /// Whether a job that will take the requests is scheduled already.
        var isAttended = false
    }

    /// Blocks the thread.
    /// - Parameters:
    ///   - engine: has its connection open.
    ///   - slot: of the node.
    ///   - participant: is told of every commit and of all that is undone.
    ///   - rules: is told of every change of the rules.
    ///   - clock: tells the time of what is written; must never go back.
    package init(
        _ engine: any WriterEngine, slot: NodeSlot = .single, participant: any TransactionParticipant,
        rules: any RuleChangeLog, isReadOnly: Bool = false, clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.engine = engine
        self.isReadOnly = isReadOnly
        writing = try engine.withConnection { db in
            try WriteContext(db, slot: slot, participant: participant, rules: rules, clock: clock)
        }
    }

    func submit(_ request: any WriteRequest) {
        guard !isReadOnly || request.changesNothing else { return request.fail(StorageError.readOnly) }
        let mustStart = waiting.withLock { waiting in
            waiting.requests.append(request)
            defer { waiting.isAttended = true }
            return !waiting.isAttended
        }
        guard mustStart else { return }
        engine.schedule { [self] in attend() }
    }

    private func attend() {
        while let group = takeGroup() {
            commit(group)
            engine.didAnswer()
        }
    }

    private func takeGroup() -> [any WriteRequest]? {
        waiting.withLock { waiting in
            guard !waiting.requests.isEmpty else {
                waiting.isAttended = false
                return nil
            }
            let end = waiting.requests.firstIndex(where: \.isAlone) ?? waiting.requests.count
            let group = Array(waiting.requests.prefix(max(end, 1)))
            waiting.requests.removeFirst(group.count)
            return group
        }
    }

    /// Runs `body` between two transactions. Nothing of it is written.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            engine.schedule { [self] in
                continuation.resume(with: Result { try body(writing) }.mapError(engine.translating))
            }
        }
    }

    private func commit(_ group: [any WriteRequest]) {
        do {
            try settle()
            try engine.transaction { db in
                try writing.begin(on: db)
                for request in group { try run(request, alone: group.count == 1) }
                try writing.finish()
            }
        } catch {
            if engine.isInDoubt {
                if inDoubt.isEmpty { inDoubt = group }
            } else {
                writing.undo(to: .beginning)
            }
            for request in group { request.fail(error) }
            return
        }
        didCommit()
        for request in group { request.answer(writing.feedHead) }
    }

    private func didCommit() {
        writing.didCommit()
        commits.add(1, ordering: .releasing)
    }

    /// Memory follows what was committed, also where the callers were told that it might not be.
    private func settle() throws {
        guard !inDoubt.isEmpty else { return }
        if try engine.settle() {
            didCommit()
        } else {
            writing.undo(to: .beginning)
        }
        inDoubt = []
    }

    /// - Throws: the error that made the whole group fail.
    private func run(_ request: any WriteRequest, alone: Bool) throws {
        // Without a savepoint SQLite need not copy each page before it changes it.
        guard !alone else { return try request.run(in: writing, translating: engine.translating) }
        let mark = writing.mark
        let failure = try engine.savepoint(writing.db) {
            try request.run(in: writing, translating: engine.translating)
        }
        if failure != nil { writing.undo(to: mark) }
    }
}
