import PostgresClient
import SQL
import Synchronization

/// Which of the nodes may begin a transaction of bulk: one at a time.
///
/// All transactions take turns (`WriterTurn`), in the order in which they ask. Where only one node asks with bulk, a
/// withdrawal at any of them waits for one transaction of bulk, not for one of each node.
///
/// It decides who asks first and nothing else: the row of the writer alone keeps transactions apart. So where it cannot be
/// had, as while its connection is made or somebody holds it who stands still, bulk is written without it.
final class BulkTurn: Sendable {
    /// The advisory lock: "consentb" in ASCII.
    private static let lock: Int64 = 0x636F_6E73_656E_7462
    /// A node that has it longer stands still, or has much to do; others go on without.
    private static let patience = "2s"
    /// A server that does not answer for so long stands still.
    private static let connectionPatience = Duration.seconds(4)

    private enum State {
        case closed
        case connecting
        case open(PostgresConnection)
        case ended
    }

    private let thread = PostgresThread()
    private let connect: @Sendable () throws -> PostgresConnection
    /// Is changed on the thread, but for the beginning of connecting and the end.
    private let state = Mutex(State.closed)

    init(_ settings: PostgresSettings) {
        connect = {
            let connection = try PostgresConnection(
                settings.location, password: settings.password, patience: Self.connectionPatience,
                watch: settings.watch)
            do {
                try connection.statement("SET lock_timeout = '\(Self.patience)'").run()
                try connection.waitForAnswers()
                return connection
            } catch {
                connection.close()
                throw error
            }
        }
    }

    /// Calls `work` when bulk may be written, on any thread, once. Ends with ``giveBack()``.
    func take(_ work: @escaping @Sendable () -> Void) {
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

    func giveBack() { thread.schedule { [self] in connection?.rollBack() } }

    /// Whether it is waited for.
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

    /// What waits goes on at once. May be called from anywhere.
    func interrupt() { connection?.interrupt() }

    /// Blocks the thread that calls.
    func close() {
        interrupt()
        _ = try? thread.runNow { [self] in
            connection?.close()
            state.withLock { $0 = .ended }
        }
    }
}
