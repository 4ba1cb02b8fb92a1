package import SQL

/// The only connection of an engine that writes, and its thread.
package protocol WriterEngine: Sendable {
    /// Runs `work` on the writer's thread, after all that was scheduled before.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// Runs `work` on the writer's thread once this process may begin a transaction of bulk. Only one process at a time
    /// may, so that a short write of any process waits for at most one such transaction. Ends with ``endBulk()``.
    func scheduleBulk(_ work: @escaping @Sendable () -> Void)

    /// Called last in a transaction of bulk: waits until the engine has done everything but the commit.
    func willCommitBulk() throws

    /// Lets another process begin a transaction of bulk, which waits for the commit of the present one. Is called on
    /// the writer's thread.
    func endBulk()

    /// Runs `body` in a transaction, on the writer's thread. Its changes are durable on return.
    ///
    /// An engine that loses its connection before the commit may run `body` again.
    /// - Throws: the error that kept the transaction from being committed; then none of its changes were written.
    func transaction(_ body: (any SQLConnection) throws -> Void) throws

    /// Whether it is unknown if the transaction that failed last was committed, because the answer to its commit was
    /// lost. Then no other transaction begins before ``resolveDoubt()``. Is called on the writer's thread.
    var isInDoubt: Bool { get }

    /// Finds out whether that transaction was committed. Is called on the writer's thread.
    /// - Throws: the error that still keeps it from finding out.
    func resolveDoubt() throws -> Bool

    /// Runs `body` inside the transaction, on the writer's thread. If `body` throws, its changes are undone and the
    /// transaction continues.
    /// - Throws: the error that ended the transaction.
    /// - Returns: the error that `body` threw, or the engine's error for a statement that `body` had sent.
    func savepoint(_ db: any SQLConnection, _ body: () throws -> Void) throws -> (any Error)?

    /// Runs `body` outside of a transaction, on the writer's thread.
    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value

    /// Notes the generation that the database has since the last transaction was committed (``WriterLock``), where
    /// several processes write. Is called on the writer's thread, before the callers are answered.
    func didCommit(generation: Int64)

    /// Called when a group was committed and answered, on the writer's thread.
    func didAnswer()

    /// Converts an error of the engine or its library to the storage's own.
    func translating(_ error: any Error) -> any Error
}

extension WriterEngine {
    package var isInDoubt: Bool { false }
    package func resolveDoubt() throws -> Bool { false }
    package func scheduleBulk(_ work: @escaping @Sendable () -> Void) { schedule(work) }
    package func willCommitBulk() throws {}
    package func endBulk() {}
    package func didCommit(generation: Int64) {}
}
