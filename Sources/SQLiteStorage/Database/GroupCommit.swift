import GRDB
import Identifiers
import SQLiteFiles
import Synchronization

/// Commits all waiting writes together: a sync costs the same for one write and for a hundred.
///
/// While a commit is under way requests gather. The next transaction takes all of them, each in a savepoint of its own,
/// so that a request that fails undoes only itself. One commit makes them durable. Then their hooks are called in
/// order, and only then are the callers answered. A request that wants to be alone gets a transaction of its own.
final class GroupCommit: @unchecked Sendable {
    // Sendable: `writing` is touched on the writer's queue alone; `waiting` is guarded; the rest does not change.
    private let file: DatabaseFile
    private let writing: WriteContext
    private let waiting = Mutex(Waiting())

    private struct Waiting: ~Copyable {
        var requests: [any WriteRequest] = []
        /// Whether a job that will take the requests is on the queue already.
        var isAttended = false
    }

    init(
        _ file: DatabaseFile, participant: sending any TransactionParticipant,
        clock: @escaping @Sendable () -> Timestamp
    ) throws {
        self.file = file
        writing = try file.writer.writeWithoutTransaction { db in
            try UncheckedBox(WriteContext(db, participant: participant, clock: clock))
        }.value
    }

    func submit(_ request: any WriteRequest) {
        let mustStart = waiting.withLock { waiting in
            waiting.requests.append(request)
            defer { waiting.isAttended = true }
            return !waiting.isAttended
        }
        guard mustStart else { return }
        file.writer.asyncWriteWithoutTransaction { [self] _ in attend() }
    }

    private func attend() {
        while let group = takeGroup() {
            commit(group)
            file.checkpointIfLong(writing.db)
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
        try await file.writer.writeWithoutTransaction { [self] _ in try body(writing) }
    }

    private func commit(_ group: [any WriteRequest]) {
        let changesBefore = writing.db.totalChangesCount
        do {
            try file.health.requireWorking()
            try writing.db.statement("BEGIN IMMEDIATE").run()
            for request in group { try run(request, alone: group.count == 1) }
            try writing.db.statement("COMMIT").run()
        } catch {
            let error = file.health.note(error)
            file.rollBack(writing.db)
            writing.participant.undo(to: 0)
            for request in group { request.fail(error) }
            return
        }
        // A full disk takes a commit of nothing too.
        if writing.db.totalChangesCount > changesBefore { file.health.noteCommit() }
        writing.participant.didCommit()
        for request in group { request.committed() }
        for request in group { request.answer() }
    }

    /// - Throws: the error that made the whole group fail.
    private func run(_ request: any WriteRequest, alone: Bool) throws {
        // Without a savepoint SQLite need not copy each page before it changes it.
        guard !alone else { return try request.run(in: writing) }
        try writing.db.statement("SAVEPOINT request").run()
        let mark = writing.participant.mark
        do {
            try request.run(in: writing)
        } catch {
            // A full disk, for one, makes SQLite roll back the transaction; there is nothing left to go on with.
            guard writing.db.isInsideTransaction, !((error as? StorageError)?.isFatal ?? false) else { throw error }
            try writing.db.statement("ROLLBACK TO request").run()
            writing.participant.undo(to: mark)
        }
        try writing.db.statement("RELEASE request").run()
    }
}

/// Carries `WriteContext` from the writer's queue, on which it stays, to its owner.
private struct UncheckedBox: @unchecked Sendable {
    let value: WriteContext
    init(_ value: WriteContext) { self.value = value }
}
