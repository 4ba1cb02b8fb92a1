package import Identifiers
import SQL
import Synchronization

/// Commits waiting writes together: a sync costs the same for one write and for a hundred.
///
/// While a commit is under way, requests wait. The next transaction takes those that fit (``WriteQueue``), each in a
/// savepoint of its own, so that a request that fails undoes only itself. One commit makes them durable. Then the
/// followers of the rules are informed, and only then the callers get their answers. A request can ask for a
/// transaction of its own.
///
/// Where several processes write, a transaction first waits for its turn. Its writes are chosen after that wait, so a
/// change of the rules that arrived meanwhile gets the turn that bulk has waited for.
package final class GroupCommit: @unchecked Sendable {
    // Sendable: `writing`, `inDoubt` and `isInBulk` are touched only on the writer's thread; `waiting` is guarded; the
    // rest does not change.
    private let engine: any WriterEngine
    private let writing: WriteContext
    private let waiting: Mutex<Waiting>
    /// Whether every request that changes something is refused, with `StorageError.readOnly`.
    package let isReadOnly: Bool
    /// The requests whose transaction may have been committed although they were answered with an error.
    private var inDoubt: [any WriteRequest] = []
    /// Whether this process has the turn for bulk (``WriterEngine/scheduleBulk(_:)``).
    private var isInBulk = false
    private let commits = Atomic<UInt64>(0)

    /// The number of committed transactions. It grows before their callers are answered.
    var count: UInt64 { commits.load(ordering: .acquiring) }

    private struct Waiting: ~Copyable {
        var queue: WriteQueue
        /// The kinds of requests for which a transaction is already scheduled.
        var scheduled: Set<WriteQueue.Kind> = []

        /// Notes that a transaction is needed for a kind.
        /// - Returns: whether it must be scheduled.
        mutating func mustSchedule(_ kind: WriteQueue.Kind) -> Bool {
            queue.count(kind) > 0 && scheduled.insert(kind).inserted
        }
    }

    /// How many rows of bulk several writes of one transaction have together. If there are several processes, the
    /// others wait meanwhile. An embedded engine keeps in memory a copy of each page that such a write changes: a step
    /// of retention together with a large batch of clicks would cost 50 MB.
    static func maximumRowCount(ofSeveralWriters hasSeveralWriters: Bool) -> Int { hasSeveralWriters ? 2_000 : 5_000 }

    /// Blocks the thread.
    /// - Parameters:
    ///   - engine: must have its connection open.
    ///   - slot: the slot of the node.
    ///   - participant: is informed of every commit and of everything that is undone.
    ///   - rules: is informed of every change of the rules.
    ///   - clock: tells the time of what is written; must never go back.
    package init(
        _ engine: any WriterEngine, slot: NodeSlot = .single, participant: any TransactionParticipant,
        rules: any RuleChangeLog, isReadOnly: Bool = false, clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.engine = engine
        self.isReadOnly = isReadOnly
        let maximumRowCount: Int
        (writing, maximumRowCount) = try engine.withConnection { db in
            (
                try WriteContext(db, slot: slot, participant: participant, rules: rules, clock: clock),
                Self.maximumRowCount(ofSeveralWriters: db.dialect.hasSeveralWriters)
            )
        }
        waiting = Mutex(Waiting(queue: WriteQueue(maximumRowCount: maximumRowCount)))
    }

    func submit(_ request: any WriteRequest) {
        guard !isReadOnly || request.changesNothing else { return request.fail(StorageError.readOnly) }
        let kind = WriteQueue.kind(of: request)
        let mustStart = waiting.withLock { waiting in
            waiting.queue.append(request)
            return waiting.mustSchedule(kind)
        }
        if mustStart { schedule(kind) }
    }

    private func schedule(_ kind: WriteQueue.Kind) {
        switch kind {
        case .short: engine.schedule { [self] in runShort() }
        case .bulk: engine.scheduleBulk { [self] in runBulk() }
        }
    }

    /// Runs one transaction. The next one is scheduled behind what arrived meanwhile, such as bulk whose turn has come.
    private func runShort() {
        if waiting.withLock({ $0.queue.count(.short) > 0 }) { commit(.short) }
        let goesOn = waiting.withLock { waiting in
            waiting.scheduled.remove(.short)
            return waiting.mustSchedule(.short)
        }
        if goesOn { schedule(.short) }
    }

    /// Runs one transaction of bulk, and before it one of short writes if any wait when the turn has come.
    private func runBulk() {
        isInBulk = true
        if commit(.bulk, butFirst: .short) == .short { commit(.bulk) }
        endBulk()
    }

    /// Gives the turn for bulk to other processes, and asks for the next one if bulk waits here.
    private func endBulk() {
        guard isInBulk else { return }
        isInBulk = false
        engine.endBulk()
        let goesOn = waiting.withLock { waiting in
            waiting.scheduled.remove(.bulk)
            return waiting.mustSchedule(.bulk)
        }
        if goesOn { schedule(.bulk) }
    }

    /// Runs `body` between two transactions. It must not write to the database.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            engine.schedule { [self] in
                continuation.resume(with: Result { try body(writing) }.mapError(engine.translating))
            }
        }
    }

    /// Runs one transaction with writes of `kind`; with those of `first` instead, if there are any when the turn has
    /// come.
    /// - Returns: the kind that it ran.
    @discardableResult
    private func commit(_ kind: WriteQueue.Kind, butFirst first: WriteQueue.Kind? = nil) -> WriteQueue.Kind {
        let before = waiting.withLock { $0.queue.count(kind) }
        var (group, taken): ([any WriteRequest], WriteQueue.Kind) = ([], kind)
        do {
            try resolveDoubt()
            try engine.transaction { db in
                try writing.begin(on: db)
                // A transaction that runs again keeps its writes.
                if group.isEmpty { (group, taken) = dequeue(kind, butFirst: first) }
                for request in group { try run(request, alone: group.count == 1) }
                try writing.finish()
                if taken == .bulk, isInBulk {
                    try engine.willCommitBulk()
                    endBulk()
                }
            }
        } catch {
            // This process did not get its turn. The requests that waited for it fail.
            if group.isEmpty { group = waiting.withLock { $0.queue.dequeueFirst(before, of: kind) } }
            fail(group, error)
            engine.didAnswer()
            return taken
        }
        didCommit()
        for request in group { request.answer(writing.feedHead) }
        engine.didAnswer()
        return taken
    }

    private func dequeue(
        _ kind: WriteQueue.Kind, butFirst first: WriteQueue.Kind?
    ) -> ([any WriteRequest], WriteQueue.Kind) {
        waiting.withLock { waiting in
            let chosen = first.flatMap { waiting.queue.count($0) > 0 ? $0 : nil } ?? kind
            return (waiting.queue.dequeue(chosen), chosen)
        }
    }

    private func fail(_ group: [any WriteRequest], _ error: any Error) {
        if engine.isInDoubt {
            if inDoubt.isEmpty { inDoubt = group }
        } else {
            writing.undo(to: .beginning)
        }
        for request in group { request.fail(error) }
    }

    private func didCommit() {
        writing.didCommit()
        if let generation = writing.generation { engine.didCommit(generation: generation) }
        commits.add(1, ordering: .releasing)
    }

    /// Makes the state in memory follow what was committed, even if the callers were told that it is not known.
    private func resolveDoubt() throws {
        guard !inDoubt.isEmpty else { return }
        if try engine.resolveDoubt() {
            didCommit()
        } else {
            writing.undo(to: .beginning)
        }
        writing.invalidate()
        inDoubt = []
    }

    /// - Throws: the error that made the whole group fail.
    private func run(_ request: any WriteRequest, alone: Bool) throws {
        // Without a savepoint, SQLite need not copy each page before it changes it.
        guard !alone else { return try request.run(in: writing, translating: engine.translating) }
        let savepoint = writing.savepoint
        let failure = try engine.savepoint(writing.db) {
            try request.run(in: writing, translating: engine.translating)
        }
        guard let failure else { return }
        writing.undo(to: savepoint)
        request.refuse(engine.translating(failure))
    }
}
