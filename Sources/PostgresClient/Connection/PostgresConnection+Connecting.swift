import SQL

extension PostgresConnection {
    /// A server that does not answer a short command for this long hangs, or was replaced.
    package static let shortTimeout = Duration.seconds(8)
    /// The server notices a lost client within these seconds, so that it releases the client's locks.
    static let serverOptions = [
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
        // must not read the whole table, or use parallel workers. Nor must it collect all places of an index, or of two,
        // before it reads the first row: the statements take a few rows at the beginning of a range.
        "-c enable_seqscan=off", "-c enable_bitmapscan=off", "-c max_parallel_workers_per_gather=0",
        // A commit whose wait for a standby was interrupted succeeds with a warning. The server must send it even if
        // the role has another setting of its own.
        "-c client_min_messages=warning",
        // Where row level security would hide rows from this role, the server refuses the statement: a withdrawal that
        // is hidden would have its recipient tracked.
        "-c row_security=off",
    ].joined(separator: " ")

    /// Connects as ``init(_:password:timeout:watch:knowing:unless:)`` does, and fixes the search path. If that fails
    /// and the password was changed since, connects with the new one, which is used from then on.
    ///
    /// - Parameters:
    ///   - isWatched: whether the connection is interrupted when another one has found that its server was replaced.
    ///   - isGivenUp: asked while it connects; ends that.
    /// - Throws: ``PostgresError``, also when the settings' ``PostgresSettings/connections`` are at their end.
    package static func open(
        _ settings: PostgresSettings, timeout: Duration? = .seconds(60), isWatched: Bool = false,
        unless isGivenUp: @escaping () -> Bool = { false }
    ) throws -> PostgresConnection {
        let connections = settings.connections
        do {
            let made = try open(settings, timeout, isWatched) { connections.isClosed || isGivenUp() }
            let connection = connections.entering(made)
            do {
                try connection.fixSession()
            } catch {
                connection.close()
                throw error
            }
            return connection
        } catch {
            if !isGivenUp() { connections.noteFailure() }
            throw error
        }
    }

    private static func open(
        _ settings: PostgresSettings, _ timeout: Duration?, _ isWatched: Bool, unless isGivenUp: @escaping () -> Bool
    ) throws -> PostgresConnection {
        func connect(_ password: String?) throws -> PostgresConnection {
            try PostgresConnection(
                settings.location, password: password, timeout: timeout, watch: isWatched ? settings.watch : nil,
                knowing: settings.watch.newestTimeline, unless: isGivenUp)
        }
        do {
            return try connect(settings.password)
        } catch {
            guard let password = settings.changedPassword() else { throw error }
            let connection = try connect(password)
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
    ///   - newest: the newest timeline that is known.
    ///   - isGivenUp: asked while it connects; ends that.
    /// - Throws: ``PostgresError``
    package convenience init(
        _ location: PostgresLocation, password: String?, timeout: Duration? = .seconds(60),
        watch: TimelineWatch? = nil, knowing newest: Int64 = 0, unless isGivenUp: @escaping () -> Bool = { false }
    ) throws {
        let search = ServerSearch(location, password: password, timeout: timeout, unless: isGivenUp)
        let server = try search.primary(knowing: newest)
        try self.init(adopting: server.connection, role: server.role, timeout: timeout, watch: watch)
        if let timeline = server.role.timeline { watch?.enter(self, on: timeline) }
    }

    /// The standbys among the reachable hosts. Blocks until each has answered or failed.
    package static func standbys(_ location: PostgresLocation, password: String?) -> [StandbyServer] {
        let search = ServerSearch(location, password: password, timeout: shortTimeout) { false }
        return ((try? search.roles()) ?? []).filter { $0.role.timeline == nil }
            .map { StandbyServer(host: $0.host, synchronousNames: $0.role.synchronousNames) }
    }
}
