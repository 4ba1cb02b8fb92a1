package import Identifiers
package import Organizations

/// The database that all stores share, whichever engine keeps it.
///
/// Reads run beside each other and beside the writer, each in a snapshot. Writes are committed in groups, one after the
/// other. Both happen on threads of the engine; a caller is suspended, never blocked.
package protocol SQLDatabase: SQLReading {
    /// Commits writes.
    /// - Throws: a `StoreFailure` where there is nothing to write to.
    var commits: GroupCommit { get throws }

    /// Whether other processes may have the database open and write to it.
    var hasSeveralWriters: Bool { get }

    /// Of this node.
    var slot: NodeSlot { get }

    /// Returns when every node that shares the database has read the feed of rules up to `cursor`, or records nothing any
    /// more by what it knew before.
    func everyNode(hasRead cursor: RuleCursor) async

    /// Removes from where the engine keeps rows what the tables no longer hold, as far as the engine can; its adapter
    /// says how far that is.
    /// - Throws: `StorageError.busy` when readers held on to older states for seconds. What was written before stays
    ///   written; ask again.
    func eraseResiduals() async throws
}

extension SQLDatabase {
    package var hasSeveralWriters: Bool { false }

    package var slot: NodeSlot { .single }

    package func everyNode(hasRead cursor: RuleCursor) async {}

    /// Runs `body` in a transaction that it may share with others.
    ///
    /// What it did is durable on return. When it throws, nothing of it was written. An engine that loses its connection
    /// before the commit may run it again from the beginning.
    /// - Parameter isAlone: whether the write gets a transaction of its own. A write that shares one has a savepoint,
    ///   and SQLite then keeps in memory a copy of every page that changes. A small write of the service's own must not
    ///   cause that for an import, which changes ten thousand pages.
    /// - Parameter changesNothing: whether it only reads, where no write may come in between. A storage that is moved takes
    ///   such.
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

    /// Runs `body` between two transactions, for what lives on the writer's thread and in no table.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await commits.betweenCommits(body)
    }
}
