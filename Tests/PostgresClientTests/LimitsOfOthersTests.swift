import PostgresClient
import PostgresServer
import SQL
import Testing

/// Time limits that an administrator has set for all clients.
@Suite struct LimitsOfOthersTests {
    @Test(
        "a time limit of the role, or of the database, does not apply to the service",
        arguments: ["ROLE CURRENT_USER IN DATABASE", "DATABASE"])
    func ignored(_ owner: String) async throws {
        let location = try PostgresServer.shared.makeDatabase()
        let name = try #require(location.database)
        let holder = try PostgresConnection(location, password: nil)
        for (limit, value) in [
            ("lock_timeout", "2ms"), ("statement_timeout", "50ms"), ("idle_session_timeout", "50ms"),
            ("idle_in_transaction_session_timeout", "50ms"),
        ] {
            try holder.run(script: "ALTER \(owner) \(name) SET \(limit) = '\(value)'")
        }
        #expect(try holder.statement("SELECT pg_advisory_lock(1), true").first { $0.bool(1) } == true)
        let thread = PostgresThread()
        async let waited = thread.run { try Self.waitForLock(location) }
        try await Task.sleep(for: .milliseconds(300))
        holder.close()
        #expect(try await waited)
    }

    /// - Returns: whether it got the lock, after a pause in the session and one in the transaction.
    private static func waitForLock(_ location: PostgresLocation) throws -> Bool {
        let connection = try PostgresConnection(location, password: nil)
        defer { connection.close() }
        PostgresThread.sleepHere(for: .milliseconds(100))
        try connection.begin()
        _ = try connection.statement("SELECT 1").first { $0.integer(0) }
        PostgresThread.sleepHere(for: .milliseconds(100))
        let hasLock = try connection.statement("SELECT pg_advisory_xact_lock(1), true").first { $0.bool(1) }
        try connection.commit()
        return hasLock ?? false
    }
}
