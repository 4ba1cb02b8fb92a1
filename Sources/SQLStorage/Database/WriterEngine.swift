package import SQL

/// The one connection of an engine that writes, and its thread.
package protocol WriterEngine: Sendable {
    /// Runs `work` on the writer's thread, after all that was scheduled before.
    func schedule(_ work: @escaping @Sendable () -> Void)

    /// The same for a transaction of bulk, when this process may begin one: of several, one at a time does, so that a short
    /// write of any of them waits for one such transaction at most. Ends with ``endBulk()``.
    func scheduleBulk(_ work: @escaping @Sendable () -> Void)

    /// Inside a transaction of bulk, as the last: waits until the engine has done all of it but the commit.
    func willCommitBulk() throws

    /// Another process may begin a transaction of bulk; it waits for the commit of the present one. On the writer's thread.
    func endBulk()

    /// Runs `body` in a transaction, on the writer's thread. What it wrote is durable on return.
    ///
    /// An engine whose connection is lost before the transaction is committed may run `body` again.
    /// - Throws: what kept the transaction from being committed; then nothing of it was written.
    func transaction(_ body: (any SQLConnection) throws -> Void) throws

    /// Whether it is not known if the transaction that failed last was committed, because the answer to its commit was
    /// lost. Then no other begins before ``settle()``. On the writer's thread.
    var isInDoubt: Bool { get }

    /// Finds out whether it was. On the writer's thread.
    /// - Throws: what keeps it from being found out still.
    func settle() throws -> Bool

    /// Runs `body` inside the transaction, on the writer's thread; when it throws, all that it did is undone, and the
    /// transaction goes on.
    /// - Throws: what ended the transaction.
    /// - Returns: what `body` threw, or what kept something from being done that it had sent.
    func savepoint(_ db: any SQLConnection, _ body: () throws -> Void) throws -> (any Error)?

    /// Runs `body` outside of a transaction, on the writer's thread.
    func withConnection<Value>(_ body: (any SQLConnection) throws -> Value) throws -> Value

    /// A group was committed and answered. On the writer's thread.
    func didAnswer()

    /// The storage's own error for one that the engine or its library threw.
    func translating(_ error: any Error) -> any Error
}

extension WriterEngine {
    package var isInDoubt: Bool { false }
    package func settle() throws -> Bool { false }
    package func scheduleBulk(_ work: @escaping @Sendable () -> Void) { schedule(work) }
    package func willCommitBulk() throws {}
    package func endBulk() {}
}
