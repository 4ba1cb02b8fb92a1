import CPostgres
import Glibc
package import SQL
import Synchronization

/// One connection to a server that takes writes. Must be used on one thread, which it blocks; see ``PostgresThread``.
///
/// Commands are sent without waiting (libpq's pipeline mode) until an answer is needed, so a transaction of many
/// inserts takes few round trips. An error of a command comes from the next call that waits. It never sends a request
/// to cancel: a commit that is cancelled while it waits for a standby would be visible but not safe. To stop waiting,
/// the socket is closed (``interrupt()``).
package final class PostgresConnection: SQLConnection, @unchecked Sendable {
    // Sendable: its owner uses it on one thread; `handle` is for the only call that other threads may make.

    /// The queue is sent when it is longer than this, in bytes.
    private static let sendAhead = 1 << 18
    /// The oldest supported server version.
    static let oldestServer: Int32 = 150_000
    /// How many statements are kept prepared. There are a few hundred.
    private static let maximumStatementCount = 2_000

    /// Guards the connection against ``interrupt()`` from another thread while it is closed.
    private let handle: Mutex<Handle>
    let connection: OpaquePointer
    /// How long an answer may take, in milliseconds; negative for no limit.
    private var timeout: Int32
    /// Whether a whole answer must come in that time. Otherwise each part of it has the time.
    private var isForWholeAnswer = false
    /// Since when the server is silent while an answer is awaited; `nil` while none is.
    private let silentSince = Mutex<ContinuousClock.Instant?>(nil)
    private let watch: TimelineWatch?
    /// Those whose use ends together with that of this connection.
    var group: ConnectionGroup?
    /// The number of the server's process that serves the connection.
    package var backend: Int64 { role.backend }
    /// What the server said when the connection was made.
    let role: ServerRole
    package internal(set) var isUsable = true
    var isInsideTransaction = false
    /// Whether the connection ends with its transaction, because its session may be at fault.
    private var isOutdated = false

    private var names: [StatementKey: String] = [:]
    private var texts: [String: TranslatedSQL] = [:]
    /// Statements for any number of rows.
    private var listTexts: [String: TranslatedSQL] = [:]
    private var made = 0
    /// The commands that were sent and whose results were not read.
    private var awaited: [Awaited] = []
    private var bytesAhead = 0
    /// The numbers of cursors that are not open.
    private var freeCursors: [Int] = []
    private var cursors = 0

    /// A value that the owner of the connection wants to keep with it.
    package var attachment: AnyObject?

    private struct Handle: @unchecked Sendable {
        // Sendable: guarded by a lock.
        var connection: OpaquePointer?
    }

    private struct StatementKey: Hashable {
        let sql: String
        let types: [UInt32]
    }

    private enum Awaited {
        case prepared(StatementKey)
        case executed
    }

    init(
        adopting connection: OpaquePointer, role: ServerRole, timeout: Duration?, watch: TimelineWatch?
    ) throws {
        self.connection = connection
        self.role = role
        handle = Mutex(Handle(connection: connection))
        self.timeout = Self.milliseconds(timeout)
        self.watch = watch
        guard cl_pg_enter_pipeline(connection) else { throw PostgresError(.connectionLost) }
    }

    deinit { close() }

    /// Sets how long an answer may take from now on; `nil` for no limit.
    /// - Parameter isForWholeAnswer: whether the last byte must come in that time, and not only the next one: for
    ///   answers that are short on any network.
    package func wait(upTo timeout: Duration?, forWholeAnswer isForWholeAnswer: Bool = false) {
        self.timeout = Self.milliseconds(timeout)
        self.isForWholeAnswer = isForWholeAnswer
    }

    static func milliseconds(_ timeout: Duration?) -> Int32 {
        timeout.map { Int32(clamping: $0 / .milliseconds(1)) } ?? -1
    }

    package func close() {
        isUsable = false
        watch?.leave(self)
        group?.leave(self)
        handle.withLock { handle in
            cl_pg_close(handle.connection)
            handle.connection = nil
        }
    }

    /// Closes the socket from another thread: a call that waits for an answer fails at once. The server finishes or
    /// rolls back its current command.
    package func interrupt() {
        handle.withLock { handle in
            guard let connection = handle.connection else { return }
            shutdown(cl_pg_socket(connection), Int32(SHUT_RDWR))
        }
    }

    /// Closes the socket from another thread if an answer is awaited and the server has been silent for longer than
    /// `limit`.
    /// - Returns: whether it did.
    func interrupt(ifSilentFor limit: Duration) -> Bool {
        guard let since = silentSince.withLock({ $0 }), ContinuousClock.now - since > limit else { return false }
        interrupt()
        return true
    }

    package var dialect: SQLDialect { SQLDialect(.postgres) }

    package func statement(_ sql: String) throws -> SQLStatement { SQLStatement(postgresStatement(sql)) }

    package func rows(_ sql: String) throws -> RowInsert { RowInsert(SQLStatement(postgresRows(sql))) }

    /// The statement for any number of rows: `VALUES (?, ?)` takes a list for each place.
    package func postgresRows(_ sql: String) -> PostgresStatement {
        if let known = listTexts[sql] { return PostgresStatement(known, on: self) }
        let translated = TranslatedSQL(ListInsert.text(of: sql))
        listTexts[sql] = translated
        return PostgresStatement(translated, on: self)
    }

    package func longStatement(_ sql: String) throws -> SQLStatement { SQLStatement(postgresStatement(sql).inParts()) }

    /// The statement, for more kinds of values than ``SQLStatement`` has.
    package func postgresStatement(_ sql: String) -> PostgresStatement {
        if let known = texts[sql] { return PostgresStatement(known, on: self) }
        let translated = TranslatedSQL(sql)
        texts[sql] = translated
        return PostgresStatement(translated, on: self)
    }

    func takeCursor() -> Int {
        if let free = freeCursors.popLast() { return free }
        cursors += 1
        return cursors
    }

    func giveBack(cursor: Int) { freeCursors.append(cursor) }
}

// MARK: - Sending

extension PostgresConnection {
    func sendOnce(_ sql: String) throws {
        try requireUsable()
        guard cl_pg_send_once(connection, sql) else { throw lost() }
        awaited.append(.executed)
    }

    /// Sends a statement with its values.
    func send(_ sql: TranslatedSQL, _ values: borrowing BoundValues) throws {
        try requireUsable()
        let name = try prepared(sql.text, values.types)
        let isSent = values.withPointers { pointers, lengths, formats in
            cl_pg_send_prepared(connection, name, Int32(values.types.count), pointers, lengths, formats)
        }
        guard isSent else { throw lost() }
        awaited.append(.executed)
        bytesAhead += values.byteCount + 64
        if bytesAhead > Self.sendAhead { try flush() }
    }

    private func prepared(_ sql: String, _ types: [UInt32]) throws -> String {
        let key = StatementKey(sql: sql, types: types)
        if let name = names[key] { return name }
        if names.count >= Self.maximumStatementCount {
            try waitForAnswers()
            try sendOnce("DEALLOCATE ALL")
            names = [:]
        }
        made += 1
        let name = "s\(made)"
        guard cl_pg_send_prepare(connection, name, sql, Int32(types.count), types) else { throw lost() }
        awaited.append(.prepared(key))
        names[key] = name
        return name
    }

    private func requireUsable() throws { guard isUsable else { throw PostgresError(.connectionLost) } }

    func lost() -> PostgresError {
        isUsable = false
        return PostgresError(.connectionLost)
    }
}

// MARK: - Waiting

extension PostgresConnection {
    /// Waits until all sent commands were answered.
    /// - Throws: the first error.
    package func waitForAnswers() throws { _ = try lastAnswer() }

    /// Waits until all sent commands were answered, and returns the result of the last one.
    func lastAnswer() throws -> PostgresResult? {
        try requireUsable()
        guard !awaited.isEmpty else { return nil }
        guard cl_pg_send_sync(connection) else { throw lost() }
        bytesAhead = 0
        try flush()
        var (failure, last): (PostgresError?, PostgresResult?) = (nil, nil)
        let commands = awaited
        awaited.removeAll(keepingCapacity: true)
        for command in commands {
            var isDone = false
            while let result = try nextResult() {
                if result.kind == Int32(CL_PG_ERROR) {
                    failure = failure ?? result.error
                } else if result.kind != Int32(CL_PG_ABORTED) {
                    (isDone, last) = (true, result)
                }
            }
            // If the statement was not prepared, because an earlier command failed, it must be prepared again.
            if case .prepared(let key) = command, !isDone { names[key] = nil }
        }
        while let result = try nextResult(), result.kind != Int32(CL_PG_SYNC) {}
        guard let failure else { return last }
        if failure.endsConnection || !cl_pg_is_usable(connection) { isUsable = false }
        if failure.isOfSession { isOutdated = true }
        endIfOutdated()
        throw failure
    }

    /// Gives up a session that may be at fault. A transaction comes to its end before, so that its other requests take
    /// effect and its owner knows whether it was committed.
    func endIfOutdated() {
        if isOutdated, !isInsideTransaction { isUsable = false }
    }

    /// Sends the whole queue, and reads what arrives meanwhile: otherwise both sides could wait for each other.
    func flush() throws {
        bytesAhead = 0
        let end = endOfAnswer
        while true {
            switch cl_pg_flush(connection) {
            case 0: return
            case 1:
                try wait(for: Int16(POLLIN) | Int16(POLLOUT), until: end)
                guard cl_pg_consume(connection) else { throw lost() }
            default: throw lost()
            }
        }
    }

    func nextResult() throws -> PostgresResult? {
        let end = endOfAnswer
        while cl_pg_is_busy(connection) {
            try wait(for: Int16(POLLIN), until: end)
            guard cl_pg_consume(connection) else { throw lost() }
        }
        return cl_pg_next_result(connection).map(PostgresResult.init)
    }

    private var endOfAnswer: ContinuousClock.Instant? {
        isForWholeAnswer && timeout >= 0 ? .now + .milliseconds(timeout) : nil
    }

    private func wait(for events: Int16, until end: ContinuousClock.Instant?) throws {
        let now = ContinuousClock.now
        let left = end.map { Self.milliseconds(max(.zero, $0 - now)) } ?? timeout
        silentSince.withLock { $0 = now }
        defer { silentSince.withLock { $0 = nil } }
        guard Self.isReady(connection, for: events, left) else { throw lost() }
    }

    /// Waits until the socket can be read or written, or was closed.
    /// - Parameter timeout: in milliseconds; negative for no limit.
    /// - Returns: whether it can be used in time.
    private static func isReady(_ connection: OpaquePointer, for events: Int16, _ timeout: Int32) -> Bool {
        var descriptor = pollfd(fd: cl_pg_socket(connection), events: events, revents: 0)
        while true {
            let ready = poll(&descriptor, 1, timeout)
            if ready > 0 { return true }
            guard ready < 0, errno == EINTR else { return false }
        }
    }
}

extension Duration {
    static func / (one: Duration, other: Duration) -> Int { Int(one / other as Double) }
}
