import PostgresClient
import PostgresServer
import SQL
import Testing

/// What a server does for a client that is gone, or stands still.
@Suite struct LostClientTests {
    @Test("the server ends what a connection waits for that is gone: it would get a lock that nobody gives back")
    func gone() throws {
        let location = try PostgresServer.shared.makeDatabase()
        let holder = try PostgresConnection(location, password: nil)
        try holder.statement("SELECT pg_advisory_lock(1)").run()
        try holder.waitForAnswers()
        let waiter = try PostgresConnection(location, password: nil, timeout: .milliseconds(100))
        let pid = try waiter.statement("SELECT pg_backend_pid()").first { $0.integer(0) } ?? 0
        try waiter.statement("SELECT pg_advisory_lock(1)").run()
        #expect(throws: PostgresError.self) { try waiter.waitForAnswers() }
        waiter.close()
        let lives = {
            try holder.statement("SELECT 1 FROM pg_stat_activity WHERE pid = ?").first(pid) { _ in true } ?? false
        }
        for _ in 0..<600 where try lives() { PostgresThread.sleepHere(for: .milliseconds(100)) }
        #expect(try !lives())
        holder.close()
    }

    @Test("the transaction of a process that stands still ends before others have lost their timeout")
    func halted() throws {
        let location = try PostgresServer.shared.makeDatabase()
        let halted = try PostgresConnection(location, password: nil)
        try halted.begin()
        try halted.statement("SELECT pg_advisory_xact_lock(1)").run()
        try halted.waitForAnswers()
        // As long as that of who writes.
        let other = try PostgresConnection(location, password: nil, timeout: .seconds(8))
        #expect(try other.statement("SELECT pg_advisory_lock(1), true").first { $0.bool(1) } == true)
        #expect(throws: PostgresError.self) { try halted.commit() }
        halted.close()
        other.close()
    }
}
