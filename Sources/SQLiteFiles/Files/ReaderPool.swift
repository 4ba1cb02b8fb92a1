import Dispatch
package import GRDB
package import SQL
import Synchronization

/// The reading connections of a file, each on a queue of its own. If all are busy, a caller waits for its turn.
///
/// GRDB's own pool uses three queues for a read and prepares the statements for its transaction again each time. A
/// request has four reads, mostly of one row, so that would be most of their cost.
package final class ReaderPool: Sendable {
    /// How many connections are reserved for short reads.
    private static let keptForShort = 2

    private let readers: [Reader]
    /// Held to change which reads run and which wait.
    private let scheduler: Mutex<ReaderScheduler<@Sendable (Int) -> Void>>

    /// - Parameter open: opens a read-only connection. It is called at the first use of each.
    init(count: Int, open: @escaping @Sendable () throws -> DatabaseQueue) {
        readers = (0..<count).map { _ in Reader(open) }
        scheduler = Mutex(ReaderScheduler(connections: count, maximumLongCount: max(1, count - Self.keptForShort)))
    }

    /// Runs `body` in a snapshot of its own, on the queue of a connection. If the task is cancelled, the running
    /// statement is interrupted.
    package func read<Value: Sendable>(
        _ length: ReadingLength = .short, _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws -> Value {
        let number = await withCheckedContinuation { continuation in
            take(length) { continuation.resume(returning: $0) }
        }
        defer { giveBack(number, after: length) }
        return try await readers[number].read(body)
    }

    /// Reads like `read`, and blocks the thread until a connection is free.
    package func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let taken = Handover()
        take(.short, taken.put)
        let number = taken.wait()
        defer { giveBack(number, after: .short) }
        return try readers[number].readNow(body)
    }

    /// Waits for running reads, and blocks the thread. No read may follow.
    package func close() throws { for reader in readers { try reader.close() } }

    private func take(_ length: ReadingLength, _ use: @escaping @Sendable (Int) -> Void) {
        if let number = scheduler.withLock({ $0.acquire(length, use) }) { use(number) }
    }

    private func giveBack(_ number: Int, after length: ReadingLength) {
        scheduler.withLock { $0.release(number, after: length) }?(number)
    }
}

/// One connection of a pool.
private final class Reader: Sendable {
    private let open: @Sendable () throws -> DatabaseQueue
    private let connection = Mutex(Connection.unopened)

    private enum Connection {
        case unopened
        case open(DatabaseQueue)
        case closed
    }

    init(_ open: @escaping @Sendable () throws -> DatabaseQueue) { self.open = open }

    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let queue = try opened()
        let interruption = Interruption(queue)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.asyncWriteWithoutTransaction { db in
                    continuation.resume(with: Result { try interruption.guarding { try Self.inSnapshot(db, body) } })
                }
            }
        } onCancel: {
            interruption.interrupt()
        }
    }

    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try opened().writeWithoutTransaction { db in try Self.inSnapshot(db, body) }
    }

    func close() throws {
        let queue = connection.withLock { connection -> DatabaseQueue? in
            defer { connection = .closed }
            guard case .open(let queue) = connection else { return nil }
            return queue
        }
        try queue?.close()
    }

    private func opened() throws -> DatabaseQueue {
        try connection.withLock { connection in
            switch connection {
            case .open(let queue): return queue
            case .closed: throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "The connection is closed.")
            case .unopened:
                let queue = try open()
                connection = .open(queue)
                return queue
            }
        }
    }

    /// The snapshot begins with the first statement of `body`.
    private static func inSnapshot<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        try db.statement("BEGIN DEFERRED").run()
        // GRDB stops the process if a transaction is left open.
        defer { if db.isInsideTransaction { try? db.statement("ROLLBACK").run() } }
        let value = try body(db)
        try db.statement("COMMIT").run()
        return value
    }
}

/// Interrupts one read, and no other on the same connection.
private final class Interruption: Sendable {
    private enum Phase {
        case waiting
        case running
        case over
        case cancelled
    }

    private let queue: DatabaseQueue
    /// Held while the connection is interrupted, so that the next read is not.
    private let phase = Mutex(Phase.waiting)

    init(_ queue: DatabaseQueue) { self.queue = queue }

    /// - Throws: `CancellationError` if the task was cancelled before or meanwhile.
    func guarding<Value>(_ body: () throws -> Value) throws -> Value {
        try phase.withLock { phase in
            if case .cancelled = phase { throw CancellationError() }
            phase = .running
        }
        let result = Result { try body() }
        let wasCancelled = phase.withLock { phase in
            defer { phase = .over }
            if case .cancelled = phase { return true }
            return false
        }
        if wasCancelled, case .failure = result { throw CancellationError() }
        return try result.get()
    }

    func interrupt() {
        phase.withLock { phase in
            if case .running = phase { queue.interrupt() }
            if case .over = phase { return }
            phase = .cancelled
        }
    }
}

/// Passes the number of a connection to a thread that waits for it.
private final class Handover: Sendable {
    private let number = Atomic(0)
    private let isThere = DispatchSemaphore(value: 0)

    @Sendable func put(_ number: Int) {
        self.number.store(number, ordering: .relaxed)
        isThere.signal()
    }

    func wait() -> Int {
        isThere.wait()
        return number.load(ordering: .relaxed)
    }
}
