import CPostgres

/// What a server says of itself when a connection to it is made.
struct ServerRole: Sendable {
    /// `nil` for a standby.
    let timeline: Int64?
    /// Its setting `synchronous_standby_names`.
    let synchronousNames: String
    /// The number of the server's process that serves the connection.
    let backend: Int64
    /// What was set in the session.
    let mark: SessionMark

    /// Asked before it is known which schemas the search path names, so each function is that of the server.
    static func question(_ mark: SessionMark) -> String {
        """
        SELECT CASE WHEN pg_catalog.pg_is_in_recovery() THEN NULL ELSE
                   pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_lsn()), 1, 8) END,
               pg_catalog.current_setting('plan_cache_mode'),
               pg_catalog.current_setting('synchronous_standby_names'), pg_catalog.pg_backend_pid(),
               \(SessionMark.reading), \(mark.setting)
        """
    }

    /// - Throws: ``PostgresError``, also if the settings of the session have not arrived, or if the session is not new:
    ///   then neither the claim on the database nor a prepared statement would stay with the session.
    init(_ result: PostgresResult, _ mark: SessionMark) throws(PostgresError) {
        guard result.kind == Int32(CL_PG_ROWS), result.rows == 1 else {
            throw result.kind == Int32(CL_PG_ERROR) ? result.error : PostgresError(.connectionLost)
        }
        guard result.text(0, 1) == "force_generic_plan", result.text(0, 4).isEmpty else {
            throw PostgresError(.pooled)
        }
        timeline = result.isNull(0, 0) ? nil : Int64(result.text(0, 0), radix: 16) ?? 0
        synchronousNames = result.text(0, 2)
        backend = result.integer(0, 3)
        self.mark = mark
    }
}
