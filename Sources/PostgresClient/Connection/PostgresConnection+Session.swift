import SQL

/// The settings of a session, which must stay as they were set for as long as the connection lives.
extension PostgresConnection {
    /// Tables of the service that every version has.
    private static let landmarks = "'schema_version', 'folder', 'writer'"

    /// Keeps the search path in a setting, and looks for names only in the server's own schema until ``schema`` has
    /// run.
    private static let setAside = """
        SELECT pg_catalog.set_config(
                   'consentlink.path', pg_catalog.concat(pg_catalog.array_to_json(pg_catalog.current_schemas(false))),
                   false),
               pg_catalog.set_config('search_path', 'pg_catalog', false)
        """

    /// Makes the search path of the one schema that has the service's tables; without such a schema, of the first one,
    /// where they are made. The server's own schema comes first, as it does where it is not named.
    private static let schema = """
        WITH path AS (
            SELECT n.oid, n.nspname, p.place
            FROM json_array_elements_text(current_setting('consentlink.path')::json) WITH ORDINALITY p (name, place)
                JOIN pg_namespace n ON n.nspname = p.name
            WHERE left(p.name, 3) <> 'pg_' AND p.name <> 'information_schema'
        ), own AS (
            SELECT nspname, place FROM path
            WHERE 3 = (SELECT count(*) FROM pg_class WHERE relnamespace = path.oid AND relname IN (\(landmarks)))
        )
        SELECT \(SessionMark.reading), (SELECT count(*) FROM own),
            (SELECT string_agg(quote_ident(nspname), ', ' ORDER BY place) FROM own),
            set_config('search_path', coalesce(
                (SELECT quote_ident(nspname) || ', pg_temp' FROM own ORDER BY place LIMIT 1),
                (SELECT quote_ident(nspname) || ', pg_temp' FROM path ORDER BY place LIMIT 1), 'pg_catalog'
            ), false)
        """

    /// Fixes the search path for the session. A table or function of the same name in another schema, which the role or
    /// the database may name first, then has no effect, whenever it is made.
    /// - Throws: ``PostgresError`` if several schemas have the service's tables, or the mark is not there any more.
    func fixSession() throws {
        try sendOnce(Self.setAside)
        try sendOnce(Self.schema)
        guard let found = try lastAnswer(), found.rows == 1 else { throw lost() }
        guard found.text(0, 0) == role.mark.text else { throw PostgresError(.pooled) }
        guard found.integer(0, 1) < 2 else { throw PostgresError(.severalSchemas(found.text(0, 2))) }
    }

    /// - Throws: ``PostgresError`` if the server's session is not the one that the connection was made to.
    package func requireOwnSession() throws {
        let found = try statement("SELECT \(SessionMark.reading)").first { $0.text(0) }
        guard found == role.mark.text else {
            close()
            throw PostgresError(.pooled)
        }
    }
}
