package import SQL
import Synchronization

/// Some connections for reading, each on a thread of its own. If all are busy, a caller waits for its turn.
package final class PostgresPool: Sendable {
    /// After this time, a server that cannot be reached is an error for the caller.
    private static let timeout = Duration.seconds(5)
    private static let longTimeout = Duration.seconds(60)

    /// How many connections are reserved for short reads.
    private static let keptForShort = 2

    private let readers: [PostgresReader]
    private let scheduler: Mutex<ReaderScheduler<CheckedContinuation<Int, Never>>>
    /// Whether the last short read found no server, or got no answer.
    private let isSilent = CancellationFlag()

    /// Connects at the first use.
    package init(_ settings: PostgresSettings, connections: Int) {
        readers = (0..<connections).map { _ in PostgresReader(settings) }
        scheduler = Mutex(
            ReaderScheduler(connections: connections, maximumLongCount: max(1, connections - Self.keptForShort)))
    }

    /// Runs `body` with a connection, on its thread. If the task is cancelled, the connection is closed.
    ///
    /// If the connection turns out to be lost before the first answer, it is made again, and `body` runs again.
    package func run<Value: Sendable>(
        _ length: ReadingLength = .short, _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        let deadline = ContinuousClock.now + Self.timeout
        let number = await take(length)
        defer { scheduler.withLock { $0.release(number, after: length) }?.resume(returning: number) }
        // Otherwise, waiting reads would find the same problem one after another.
        guard length != .short || !isSilent.value.load(ordering: .relaxed) || ContinuousClock.now < deadline else {
            throw PostgresError(.connectionLost)
        }
        let reader = readers[number]
        let isCancelled = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await noting(length, isCancelled) {
                try await reader.run(
                    within: Self.timeout,
                    waiting: length == .short ? PostgresConnection.shortTimeout : Self.longTimeout,
                    isWhole: length == .short, unless: isCancelled, body)
            }
        } onCancel: {
            isCancelled.value.store(true, ordering: .releasing)
            reader.interrupt()
        }
    }

    private func noting<Value>(
        _ length: ReadingLength, _ isCancelled: CancellationFlag, _ body: () async throws -> Value
    ) async throws -> Value {
        guard length == .short else { return try await body() }
        do {
            let value = try await body()
            isSilent.value.store(false, ordering: .relaxed)
            return value
        } catch {
            let isLost = (error as? PostgresError)?.isOfConnection ?? false
            if !isCancelled.value.load(ordering: .acquiring) { isSilent.value.store(isLost, ordering: .relaxed) }
            throw error
        }
    }

    /// Closes all connections when they are no longer used. Blocks the thread.
    package func close() { for reader in readers { reader.close() } }

    private func take(_ length: ReadingLength) async -> Int {
        await withCheckedContinuation { continuation in
            if let number = scheduler.withLock({ $0.acquire(length, continuation) }) {
                continuation.resume(returning: number)
            }
        }
    }
}

private final class CancellationFlag: Sendable {
    let value = Atomic(false)
}

/// One connection of a pool.
private final class PostgresReader: @unchecked Sendable {
    // Sendable: `connection` is changed on the thread only, under the lock with which others read it.
    private static let pause = Duration.milliseconds(50)

    private let thread: PostgresThread
    private let settings: PostgresSettings
    private let connection = Mutex<PostgresConnection?>(nil)

    init(_ settings: PostgresSettings) {
        self.settings = settings
        thread = PostgresThread()
    }

    func run<Value: Sendable>(
        within timeout: Duration, waiting: Duration, isWhole: Bool, unless isCancelled: CancellationFlag,
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let deadline = ContinuousClock.now + timeout
        return try await thread.run { [self] in
            while true {
                do {
                    let connection = try opened { isCancelled.value.load(ordering: .acquiring) }
                    connection.wait(upTo: waiting, forWholeAnswer: isWhole)
                    return try body(connection)
                } catch let error as PostgresError {
                    if isCancelled.value.load(ordering: .acquiring) { throw CancellationError() }
                    let mayGoOn = ContinuousClock.now < deadline && !settings.connections.isEnding
                    guard error.isRetryable, mayGoOn else { throw error }
                    thread.sleep(for: Self.pause)
                }
            }
        }
    }

    func interrupt() { connection.withLock { $0 }?.interrupt() }

    func close() {
        _ = try? thread.runNow { [self] in
            connection.withLock { $0 }?.close()
            connection.withLock { $0 = nil }
        }
    }

    private func opened(unless isCancelled: @escaping () -> Bool) throws -> PostgresConnection {
        if let open = connection.withLock({ $0 }) {
            if open.isUsable { return open }
            open.close()
        }
        let made = try PostgresConnection.open(
            settings, timeout: PostgresConnection.shortTimeout, isWatched: true, unless: isCancelled)
        // No other transaction waits for a read, and a long read has pauses.
        try made.statement("SET idle_in_transaction_session_timeout = '60s'").run()
        connection.withLock { $0 = made }
        return made
    }
}
