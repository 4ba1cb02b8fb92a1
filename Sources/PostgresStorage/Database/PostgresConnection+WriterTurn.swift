import PostgresClient
import SQL

extension PostgresConnection {
    /// Runs `body` in a transaction; no other process writes until the commit.
    ///
    /// - Parameter timeout: how long it waits for a lock at most, in PostgreSQL's notation; `nil` for the connection's own
    ///   limit.
    func takingTurn<Value>(waitingAtMost timeout: String? = nil, _ body: () throws -> Value) throws -> Value {
        try begin()
        do {
            if let timeout { try statement("SET LOCAL lock_timeout = '\(timeout)'").run() }
            try takeTurn()
            let value = try body()
            try commit()
            return value
        } catch {
            rollBack()
            throw error
        }
    }
}

extension SQLConnection {
    /// Waits, inside a transaction, for those of other processes. No other process writes until the commit.
    func takeTurn() throws { try statement("SELECT FROM writer FOR UPDATE").first { _ in } }
}
