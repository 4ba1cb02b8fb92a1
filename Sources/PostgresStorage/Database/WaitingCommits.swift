import PostgresClient
import SQL
import Synchronization

/// The commits that have had no answer, of transactions that wait only for a standby.
///
/// A process of the server that waits for a standby does not notice that its client is gone, and keeps its place among
/// `max_connections` until the standby confirms. Other transactions of the service wait for the row of the writer or of
/// the node before they come to that, and the server ends such a wait when the client is gone. A reading that must be
/// current waits for no row. So none is begun while an earlier one still waits: otherwise each attempt would leave one
/// more process.
final class WaitingCommits: Sendable {
    /// The processes that served the connections.
    private let backends = Mutex<Set<Int64>>([])

    /// Commits, and notes the connection if there is no answer.
    func commit(_ connection: PostgresConnection) throws {
        do {
            try connection.commit()
        } catch {
            if !connection.isUsable { _ = backends.withLock { $0.insert(connection.backend) } }
            throw error
        }
    }

    /// Must be called outside of a transaction. Asks the server only after a commit without an answer.
    /// - Throws: ``PostgresError`` with ``PostgresError/Reason/unconfirmed`` if one of the commits still waits.
    func requireNone(_ db: any SQLConnection) throws {
        let noted = backends.withLock { $0 }
        guard !noted.isEmpty else { return }
        // Every role sees which processes have a transaction. Another one with the number of a process that has ended
        // stops this for the length of a transaction only.
        let waiting = try db.statement(
            """
            SELECT pid FROM pg_stat_activity
            WHERE pid = ANY(?) AND datname = current_database() AND backend_xid IS NOT NULL
            """
        ).all(IntegerList(Array(noted))) { $0.integer(0) }
        backends.withLock { $0.subtract(noted.subtracting(waiting)) }
        guard waiting.isEmpty else { throw PostgresError(.unconfirmed) }
    }
}
