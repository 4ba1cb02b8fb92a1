import CPostgres

extension PostgresConnection {
    /// `BEGIN` is sent with the first statement.
    package func begin(_ kind: TransactionKind = .readWrite) throws {
        // Otherwise, commands that were sent before would be part of the transaction.
        try waitForAnswers()
        _ = cl_pg_take_interrupted_wait(connection)
        try sendOnce(kind.rawValue)
        isInsideTransaction = true
    }

    /// Durable on return, as far as the server's settings ensure it.
    ///
    /// A commit that is cancelled while it waits for its standby succeeds with a warning: then it is not known whether
    /// the standby has the transaction. Other warnings, such as that of transaction ids that run out, say nothing about
    /// it.
    /// - Throws: if the transaction was rolled back, or if it is not known whether it was committed; ``isUsable`` is
    ///   then false.
    package func commit() throws {
        try sendOnce("COMMIT")
        // The server answers the commit of a failed transaction with ROLLBACK, which is not an error.
        guard try lastAnswer()?.command == "COMMIT" else {
            throw PostgresError(.server(SQLState(code: "25P02"), object: nil))
        }
        guard !cl_pg_take_interrupted_wait(connection) else { throw lost() }
        isInsideTransaction = false
        endIfOutdated()
    }

    /// Rolls back the transaction. If that fails, the connection is no longer usable.
    package func rollBack() {
        guard isUsable, isInsideTransaction else { return }
        isInsideTransaction = false
        do {
            try? waitForAnswers()
            try sendOnce("ROLLBACK")
            try waitForAnswers()
            endIfOutdated()
        } catch {
            isUsable = false
        }
    }

    /// Runs `body` in a snapshot that shows what was committed before.
    package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try begin(.snapshot)
        do {
            let value = try body()
            rollBack()
            return value
        } catch {
            rollBack()
            throw error
        }
    }

    /// How a transaction begins.
    package enum TransactionKind: String, Sendable {
        case readWrite = "BEGIN ISOLATION LEVEL READ COMMITTED"
        /// A snapshot in a transaction that must be committed.
        case current = "BEGIN ISOLATION LEVEL REPEATABLE READ"
        case snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"
    }

    /// Runs a script of several statements, in one transaction unless it has its own.
    package func run(script: String) throws {
        try waitForAnswers()
        guard cl_pg_leave_pipeline(connection) else { throw lost() }
        defer { if isUsable, !cl_pg_enter_pipeline(connection) { isUsable = false } }
        guard cl_pg_send_script(connection, script) else { throw lost() }
        try flush()
        var failure: PostgresError?
        while let result = try nextResult() {
            if result.kind == Int32(CL_PG_ERROR), failure == nil { failure = result.error }
        }
        if let failure { throw failure }
    }
}
