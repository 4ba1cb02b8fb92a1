import PostgresClient
import SQL
import Synchronization

/// Decides which node may begin a transaction of bulk: one at a time.
///
/// All transactions take turns (`WriterLock`), in the order in which they ask. If only one node at a time asks with
/// bulk, a withdrawal at any node waits for one transaction of bulk, not for one of each node.
///
/// It decides only which node asks first. Only the lock on the row of the writer keeps transactions apart. So bulk is
/// written without this lock if it cannot be had, for example while its connection is made or while a node that hangs
/// has it.
final class BulkLock: Sendable {
    /// The advisory lock: "consentb" in ASCII.
    private static let lock: Int64 = 0x636F_6E73_656E_7462
    /// A node that holds the lock for longer hangs or has much to do; the others continue without it.
    private static let timeout = "2s"
    /// A server that does not answer for this long hangs.
    private static let connectionTimeout = Duration.seconds(4)

    private enum State {
        case closed
        case connecting
        case open(PostgresConnection)
        case ended
    }

    private let thread = PostgresThread()
    private let connect: @Sendable () throws -> PostgresConnection
    /// Is changed on the thread, except when connecting begins and at the end.
    private let state = Mutex(State.closed)

    init(_ settings: PostgresSettings) {
        connect = {
            let connection = try PostgresConnection.open(settings, timeout: Self.connectionTimeout, isWatched: true)
            do {
                try connection.statement("SET lock_timeout = '\(Self.timeout)'").run()
                try connection.waitForAnswers()
                return connection
            } catch {
                connection.close()
                throw error
            }
        }
    }

    /// Calls `work` once, on any thread, when bulk may be written. Ends with ``release()``.
    func acquire(_ work: @escaping @Sendable () -> Void) {
        let (isOpen, mustConnect) = state.withLock { state in
            switch state {
            case .open: return (true, false)
            case .connecting, .ended: return (false, false)
            case .closed:
                state = .connecting
                return (false, true)
            }
        }
        if mustConnect { thread.schedule { [self] in open() } }
        guard isOpen else { return work() }
        thread.schedule { [self] in
            wait()
            work()
        }
    }

    func release() { thread.schedule { [self] in connection?.rollBack() } }

    /// Whether the lock is used; otherwise bulk is written without it. For tests.
    var isOpen: Bool { connection != nil }

    private var connection: PostgresConnection? {
        state.withLock { if case .open(let connection) = $0 { connection } else { nil } }
    }

    private func open() {
        let made = try? connect()
        let isWanted = state.withLock { state in
            guard case .connecting = state else { return false }
            state = made.map { .open($0) } ?? .closed
            return true
        }
        if !isWanted { made?.close() }
    }

    private func wait() {
        guard let connection else { return }
        do {
            try connection.begin()
            try connection.statement("SELECT pg_advisory_xact_lock(?)").run(Self.lock)
            try connection.waitForAnswers()
        } catch {
            connection.rollBack()
            guard !connection.isUsable else { return }
            connection.close()
            state.withLock { state in
                if case .open = state { state = .closed }
            }
        }
    }

    /// Ends the wait for the lock at once. May be called on any thread.
    func interrupt() { connection?.interrupt() }

    /// Blocks the calling thread.
    func close() {
        interrupt()
        _ = try? thread.runNow { [self] in
            connection?.close()
            state.withLock { $0 = .ended }
        }
    }
}
