import CPostgres
import Glibc
import SQL

extension PostgresConnection {
    /// In seconds, for each host.
    private static let connectTimeout = "2"
    /// A server that does not answer a short command for so long hangs, or was replaced.
    package static let shortTimeout = Duration.seconds(8)
    private static let passwordHint = """
        ; the password is that of CONSENTLINK_STORAGE_PASSWORD in the environment, of the file that the setting \
        storage-password-file names, or of ~/.pgpass
        """
    /// The server notices a lost client within these seconds, so that it releases the client's locks.
    private static let serverOptions = [
        "-c TimeZone=UTC", "-c standard_conforming_strings=on", "-c tcp_keepalives_idle=5",
        "-c tcp_keepalives_interval=2", "-c tcp_keepalives_count=3", "-c tcp_user_timeout=10000",
        // Also while it waits for a lock: a lost client must not get a lock that is never released.
        "-c client_connection_check_interval=1000",
        // While this process is halted inside a transaction, no other node has a turn.
        "-c idle_in_transaction_session_timeout=5000",
        // The client limits the time of an answer. A limit of the role or the database would fail each wait for a turn
        // to write that is longer.
        "-c lock_timeout=0", "-c statement_timeout=0", "-c idle_session_timeout=0",
        "-c jit=off", "-c plan_cache_mode=force_generic_plan",
        // Every query has an index. A planner that knows neither the values nor the size of a table after a campaign
        // must not read the whole table, or use parallel workers.
        "-c enable_seqscan=off", "-c max_parallel_workers_per_gather=0",
        // A commit whose wait for a standby was interrupted succeeds with a warning, which must be sent whatever the
        // role's own setting is.
        "-c client_min_messages=warning",
        // Where row level security would hide rows from this role, the server refuses the statement: a withdrawal that
        // is hidden would have its recipient tracked.
        "-c row_security=off",
    ].joined(separator: " ")

    /// Connects as ``init(_:password:timeout:watch:)`` does. If that fails and the password was changed since, connects
    /// with the new one, which is used from then on.
    ///
    /// - Parameter isWatched: whether the connection is interrupted when another one has found that its server was
    ///   replaced.
    /// - Throws: ``PostgresError``
    package static func open(
        _ settings: PostgresSettings, timeout: Duration? = .seconds(60), isWatched: Bool = false
    ) throws -> PostgresConnection {
        let watch = isWatched ? settings.watch : nil
        do {
            return try PostgresConnection(
                settings.location, password: settings.password, timeout: timeout, watch: watch)
        } catch {
            guard let password = settings.changedPassword() else { throw error }
            let connection = try PostgresConnection(
                settings.location, password: password, timeout: timeout, watch: watch)
            settings.note(password: password)
            return connection
        }
    }

    /// Connects, and blocks until it has succeeded or failed. It connects to the host that takes writes; if several
    /// hosts claim to, to the one with the newest timeline, because a primary that was replaced may not know it yet.
    ///
    /// - Parameters:
    ///   - password: `nil` if the server needs none, or if libpq finds one in its own file.
    ///   - timeout: how long an answer may take; `nil` for no limit.
    ///   - watch: interrupts the connection when another one has found that its server was replaced.
    /// - Throws: ``PostgresError``
    package convenience init(
        _ location: PostgresLocation, password: String?, timeout: Duration? = .seconds(60),
        watch: TimelineWatch? = nil
    ) throws {
        var failure = PostgresError(.noPrimary)
        var best: (connection: OpaquePointer, timeline: Int64, backend: Int64)?
        for host in location.hosts {
            do throws(PostgresError) {
                let connection = try Self.connect(to: host, location, password)
                let role = try Self.role(of: connection, within: timeout)
                guard let timeline = role.timeline else {
                    cl_pg_close(connection)
                    continue
                }
                if let known = best, known.timeline >= timeline {
                    cl_pg_close(connection)
                } else {
                    if let known = best { cl_pg_close(known.connection) }
                    best = (connection, timeline, role.backend)
                }
            } catch {
                failure = error
            }
        }
        guard let best else { throw failure }
        try self.init(adopting: best.connection, servedBy: best.backend, timeout: timeout, watch: watch)
        watch?.enter(self, on: best.timeline)
    }

    /// The standbys among the reachable hosts. Blocks until each has answered or failed.
    package static func standbys(_ location: PostgresLocation, password: String?) -> [StandbyServer] {
        location.hosts.compactMap { host in
            guard let connection = try? connect(to: host, location, password),
                let role = try? role(of: connection, within: shortTimeout)
            else { return nil }
            cl_pg_close(connection)
            return role.timeline == nil ? StandbyServer(host: host, synchronousNames: role.synchronousNames) : nil
        }
    }

    private static func connect(
        to host: PostgresLocation.Host, _ location: PostgresLocation, _ password: String?
    ) throws(PostgresError) -> OpaquePointer {
        var parameters = [
            "application_name": "consentlink", "connect_timeout": connectTimeout, "tcp_user_timeout": "10000",
            "keepalives_idle": "5", "keepalives_interval": "2", "keepalives_count": "3",
        ].merging(location.options) { $1 }
        parameters["host"] = host.name
        parameters["port"] = "\(host.port)"
        parameters["client_encoding"] = "UTF8"
        parameters["options"] = serverOptions
        if let user = location.user { parameters["user"] = user }
        if let database = location.database ?? location.user { parameters["dbname"] = database }
        if let password { parameters["password"] = password }
        let connection = withTerminatedStrings(parameters.map(\.key)) { keys in
            withTerminatedStrings(parameters.map(\.value)) { values in cl_pg_connect(keys, values) }
        }
        guard let connection else { throw PostgresError(.cannotConnect("no memory")) }
        guard cl_pg_is_usable(connection) else {
            let text = String(cString: cl_pg_connect_error(connection))
            cl_pg_close(connection)
            guard !text.contains("unsupported startup parameter") else { throw PostgresError(.pooled) }
            throw PostgresError(.cannotConnect(oneLine(text) + (text.contains("password") ? passwordHint : "")))
        }
        let version = cl_pg_server_version(connection)
        guard version >= oldestServer else {
            cl_pg_close(connection)
            throw PostgresError(.oldServer(version))
        }
        return connection
    }

    /// The role of a server: its timeline, `nil` for a standby, and its `synchronous_standby_names`. And which of its
    /// processes serves the connection.
    private typealias ServerRole = (timeline: Int64?, synchronousNames: String, backend: Int64)

    /// Closes the connection if it throws.
    /// - Throws: ``PostgresError``, also if the settings of the session have not arrived: then neither the claim on the
    ///   database nor a prepared statement would stay with the session.
    private static func role(
        of connection: OpaquePointer, within timeout: Duration?
    ) throws(PostgresError) -> ServerRole {
        let sql = """
            SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END,
                   current_setting('plan_cache_mode'), current_setting('synchronous_standby_names'), pg_backend_pid()
            """
        guard cl_pg_send_once(connection, sql), hasAnswer(connection, within: timeout),
            let answer = cl_pg_next_result(connection)
        else {
            cl_pg_close(connection)
            throw PostgresError(.connectionLost)
        }
        let result = PostgresResult(answer)
        while hasAnswer(connection, within: timeout), let rest = cl_pg_next_result(connection) {
            cl_pg_result_free(rest)
        }
        guard result.kind == Int32(CL_PG_ROWS), result.rows == 1 else {
            cl_pg_close(connection)
            throw result.kind == Int32(CL_PG_ERROR) ? result.error : PostgresError(.connectionLost)
        }
        guard result.text(0, 1) == "force_generic_plan" else {
            cl_pg_close(connection)
            throw PostgresError(.pooled)
        }
        let timeline = result.isNull(0, 0) ? nil : Int64(result.text(0, 0), radix: 16) ?? 0
        return (timeline, result.text(0, 2), result.integer(0, 3))
    }

    /// Waits until data can be read. A server may hang after it has accepted the connection.
    private static func hasAnswer(_ connection: OpaquePointer, within timeout: Duration?) -> Bool {
        while cl_pg_is_busy(connection) {
            guard isReady(connection, for: Int16(POLLIN), milliseconds(timeout)), cl_pg_consume(connection) else {
                return false
            }
        }
        return true
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix { $0.isWhitespace } }.joined(separator: "; ")
    }
}

/// Calls `body` with C strings, and NULL after the last one.
private func withTerminatedStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let buffers = texts.map { text in
        let bytes = text.utf8CString
        let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = buffer.initialize(from: bytes)
        return buffer
    }
    defer {
        for buffer in buffers {
            // Overwrites the buffer, so that a password does not stay in released memory.
            buffer.update(repeating: 0)
            buffer.deallocate()
        }
    }
    return body(buffers.map { UnsafePointer($0.baseAddress) } + [nil])
}
