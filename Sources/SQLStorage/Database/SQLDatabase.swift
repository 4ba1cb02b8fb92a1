package import Identifiers
package import StoragePorts

/// The database that all stores share, on any engine.
///
/// Reads run in parallel with each other and with the writer, each in a snapshot. Writes are committed in groups, one
/// after another. Both run on threads of the engine; a caller is suspended, never blocked.
package protocol SQLDatabase: SQLReading {
    /// Commits writes.
    /// - Throws: a `StoreFailure` if there is no database to write to.
    var commits: GroupCommit { get throws }

    /// Whether other processes may have the database open and write to it.
    var hasSeveralWriters: Bool { get }

    /// The slot of this node.
    var slot: NodeSlot { get }

    /// Returns when every node that shares the database has read the feed of rules up to `cursor`, or has stopped
    /// recording by older rules.
    func everyNode(hasRead cursor: RuleCursor) async

    /// Removes data from the engine's files that the tables no longer contain, as far as the engine can. The adapter
    /// says how far that is.
    /// - Throws: `StorageError.busy` if readers of older states did not finish within seconds. The writes stay durable;
    ///   the caller must call it again.
    func eraseResiduals() async throws

    /// The same in one attempt, which does not wait for readers of older states.
    func tryToEraseResiduals() async throws
}

extension SQLDatabase {
    package var hasSeveralWriters: Bool { false }

    package var slot: NodeSlot { .single }

    package func everyNode(hasRead cursor: RuleCursor) async {}

    package func tryToEraseResiduals() async throws { try await eraseResiduals() }

    /// Runs `body` in a transaction, which it may share with other writes.
    ///
    /// What it wrote is durable on return. If it throws, nothing of it was written. An engine that loses its connection
    /// before the commit may run it again from the beginning.
    /// - Parameter isAlone: whether the write gets a transaction of its own. A write that shares one has a savepoint,
    ///   and SQLite then keeps in memory a copy of every page that changes. A small write of the service itself must
    ///   not cause that for an import, which changes ten thousand pages.
    /// - Parameter changesNothing: whether `body` only reads, at a point where no other write can come in between. A
    ///   storage that is being moved accepts only such requests.
    /// - Parameter load: how much it has to do. Short writes go before bulk.
    func write<Value: Sendable>(
        isAlone: Bool = false, changesNothing: Bool = false, load: WriteLoad = .short,
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        let commits = try commits
        let written = try await withCheckedThrowingContinuation { continuation in
            commits.submit(
                PendingWrite(
                    isAlone: isAlone, changesNothing: changesNothing, load: load, body: body,
                    continuation: continuation))
        }
        if let fence = written.fence { await everyNode(hasRead: fence) }
        return written.value
    }

    /// Runs `body` between two transactions, for state that is used on the writer's thread and is in no table.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await commits.betweenCommits(body)
    }
}
