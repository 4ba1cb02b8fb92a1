package import Organizations
package import SQL

/// A database that can be read.
package protocol SQLReading: Sendable {
    /// Runs `body` in a snapshot, on a thread of the engine.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value
}

/// The database that all stores share, whichever engine keeps it.
///
/// Reads run beside each other and beside the writer, each in a snapshot. Writes are committed in groups, one after the
/// other. Both happen on threads of the engine; a caller is suspended, never blocked.
package protocol SQLDatabase: SQLReading {
    /// Commits writes.
    var commits: GroupCommit { get }

    var status: StorageStatus { get }

    /// Writes something, as it is: shows whether the disk takes what is written.
    func probe() async throws

    /// Removes from where the engine keeps rows what the tables no longer hold, as far as the engine can; its adapter
    /// says how far that is.
    /// - Throws: `StorageError.busy` when readers held on to older states for seconds. What was written before stays
    ///   written; ask again.
    func eraseResiduals() async throws
}

extension SQLDatabase {
    /// Runs `body` in a transaction that it may share with others.
    ///
    /// What it did is durable on return. When it throws, nothing of it was written. An engine that loses its connection
    /// before the commit may run it again from the beginning.
    /// - Parameter isAlone: whether the write gets a transaction of its own. A write that shares one has a savepoint,
    ///   and SQLite then keeps in memory a copy of every page that changes. A small write of the service's own must not
    ///   cause that for an import, which changes ten thousand pages.
    /// - Parameter changesNothing: whether it only reads, where no write may come in between. A storage that is moved takes
    ///   such.
    /// - Parameter afterCommit: is called after the commit and before any caller learns of it, in the order of the
    ///   commits, on the writer's thread; must be quick and must not come back here.
    func write<Value: Sendable>(
        isAlone: Bool = false, changesNothing: Bool = false,
        _ body: @escaping @Sendable (WriteContext) throws -> Value,
        afterCommit: (@Sendable (Value) -> Void)? = nil
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            commits.submit(
                PendingWrite(
                    isAlone: isAlone, changesNothing: changesNothing, body: body, afterCommit: afterCommit,
                    continuation: continuation))
        }
    }

    /// Runs `body` between two transactions, for what lives on the writer's thread and in no table.
    func betweenCommits<Value: Sendable>(
        _ body: @escaping @Sendable (WriteContext) throws -> Value
    ) async throws -> Value {
        try await commits.betweenCommits(body)
    }
}
