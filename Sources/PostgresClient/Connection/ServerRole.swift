import CPostgres

/// What a server says of itself when a connection to it is made.
struct ServerRole: Sendable {
    /// `nil` for a standby.
    let timeline: Int64?
    /// Its setting `synchronous_standby_names`.
    let synchronousNames: String
    /// The number of the server's process that serves the connection.
    let backend: Int64

    static let question = """
        SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END,
               current_setting('plan_cache_mode'), current_setting('synchronous_standby_names'), pg_backend_pid()
        """

    /// - Throws: ``PostgresError``, also if the settings of the session have not arrived: then neither the claim on the
    ///   database nor a prepared statement would stay with the session.
    init(_ result: PostgresResult) throws(PostgresError) {
        guard result.kind == Int32(CL_PG_ROWS), result.rows == 1 else {
            throw result.kind == Int32(CL_PG_ERROR) ? result.error : PostgresError(.connectionLost)
        }
        guard result.text(0, 1) == "force_generic_plan" else { throw PostgresError(.pooled) }
        timeline = result.isNull(0, 0) ? nil : Int64(result.text(0, 0), radix: 16) ?? 0
        synchronousNames = result.text(0, 2)
        backend = result.integer(0, 3)
    }
}
