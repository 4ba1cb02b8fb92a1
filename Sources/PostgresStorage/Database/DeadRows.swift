import PostgresClient
import SQL
import Synchronization

/// Removes the old versions of rows in which personal data was, after erasures.
///
/// It uses one of the connections that read, so writes do not wait for it. Erasures that end while a round of VACUUM
/// runs share the next round.
final class DeadRows: Sendable {
    /// The tables with personal data.
    private static let tables = ["recipients", "consents", "consent_notices", "evidence_words", "accesses"]

    private struct Rounds {
        var running: Task<Void, Never>?
        /// Waits for the one that runs.
        var next: Task<Void, Never>?
    }

    private let pool: PostgresPool
    private let rounds = Mutex(Rounds())

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Runs VACUUM, which skips tables that are locked or that this role may not clean. After
    /// `PostgresConnection.shortTimeout` it gives up; autovacuum does the rest then.
    ///
    /// Returns after a round that began after the call. The round continues if the caller is cancelled.
    func vacuum() async {
        let round = rounds.withLock { rounds in
            if let next = rounds.next { return next }
            let next = Task { [running = rounds.running] in
                await running?.value
                self.rounds.withLock { $0 = Rounds(running: $0.next, next: nil) }
                await clean()
            }
            rounds.next = next
            return next
        }
        await round.value
    }

    private func clean() async {
        try? await pool.run { connection in
            // If the connection was lost since its last use, the pool makes it again.
            try connection.statement("SELECT 1").first { _ in }
            let end = ContinuousClock.now + PostgresConnection.shortTimeout
            for table in Self.tables {
                connection.wait(upTo: max(.zero, end - ContinuousClock.now))
                try? connection.statement("VACUUM (INDEX_CLEANUP OFF, TRUNCATE OFF, SKIP_LOCKED) \(table)").run()
                try? connection.waitForAnswers()
            }
        }
    }
}
