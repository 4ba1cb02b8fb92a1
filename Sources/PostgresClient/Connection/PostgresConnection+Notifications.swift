import CPostgres
import Glibc

extension PostgresConnection {
    /// Waits for a notification. `LISTEN` must have been run on the connection.
    /// - Returns: whether one came in time.
    package func waitForNotification(within limit: Duration) throws -> Bool {
        try waitForAnswers()
        if cl_pg_take_notification(connection) { return true }
        var descriptor = pollfd(fd: cl_pg_socket(connection), events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, Int32(clamping: limit / .milliseconds(1))) > 0 else { return false }
        guard cl_pg_consume(connection) else { throw lost() }
        var found = false
        while cl_pg_take_notification(connection) { found = true }
        return found
    }
}
