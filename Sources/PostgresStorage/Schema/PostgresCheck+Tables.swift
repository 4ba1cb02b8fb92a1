package import PostgresClient
import SQL

/// Checks what another program or person has changed of the tables of the service.
extension PostgresCheck {
    /// The problems of the schema, and those of its tables if there are any.
    static func tableFindings(_ connection: PostgresConnection) throws -> [DatabaseFinding] {
        let findings = try schemaFindings(connection)
        return try findings + (findings.contains(.noSchema) ? [] : alteredFindings(connection))
    }

    /// - Throws: ``UnsafeDatabase`` if a table was altered.
    static func requireUnaltered(_ db: any SQLConnection) throws {
        let findings = try alteredFindings(db)
        guard findings.isEmpty else { throw UnsafeDatabase(findings) }
    }

    /// What may keep acknowledged writes from the tables of the service and from their partitions; the first few.
    ///
    /// A partition has a copy of each trigger of its parent. The copy may be enabled while the parent's trigger is
    /// disabled. It can be removed only together with the parent's trigger, so the parent's trigger is named.
    ///
    /// The service makes a partition in one statement, so none is found before it is attached.
    ///
    /// The indexes of a partition keep its name when it is renamed, and those of a copy have the name of the copy. A copy
    /// that was restored from a dump into another schema has all names of the partition: a table there counts only if
    /// the partition is missing, and if that schema has no tables of another installation. A table of another owner was
    /// no partition.
    ///
    /// Functions, operators and types that come with the server or with an extension count as the server's own: 16384 is
    /// the first number of any other object. Any other one may run statements of its own when a row is stored.
    ///
    /// Indexes, statistics and constraints are the operator's, unless they use code that is not the server's own; but a
    /// foreign key must have no action. So are publications, tablespaces and storage parameters, policies that do not
    /// apply to the service, and triggers and rules that are disabled, except the triggers of foreign keys.
    static func alteredFindings(_ db: any SQLConnection) throws -> [DatabaseFinding] {
        try db.statement(alterations).all { row in
            TableAlteration(code: row.integer(1), name: row.text(2)).map { .altered(table: row.text(0), $0) }
        }.compactMap(\.self)
    }

    /// The roles that may make objects in the schema of the tables, besides its owner and those that this role acts as.
    /// Although the server's own schema comes first, a function beside the tables is preferred if only its parameters
    /// have exactly the types of the arguments.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func rightFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.statement(
                """
                SELECT quote_ident(n.nspname),
                    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END
                FROM pg_namespace n, aclexplode(n.nspacl) a
                WHERE n.nspname = current_schema() AND a.privilege_type = 'CREATE' AND a.grantee <> n.nspowner
                    AND (a.grantee = 0 OR NOT pg_has_role(a.grantee, 'USAGE'))
                ORDER BY 2
                """
            ).all { .openSchema($0.text(0), role: $0.text(1)) }
        }
    }

    /// The tables of the service (`own`), with their partitions (`tables`), and what belongs to those (`parts_of`).
    private static let named: String = {
        let names = PostgresSchema.tables.map { "'\($0)'" }.joined(separator: ", ")
        return """
            WITH own AS (
                SELECT c.oid, c.relname, c.relkind, c.relnamespace, c.relowner, c.relpersistence,
                    c.relrowsecurity AND c.relforcerowsecurity OR row_security_active(c.oid) AS is_filtered
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = current_schema() AND c.relname IN (\(names))
            ), parts AS (
                SELECT c.oid, c.relname, c.relkind, c.relnamespace, c.relowner, c.relpersistence,
                    c.relrowsecurity AND c.relforcerowsecurity OR row_security_active(c.oid) AS is_filtered
                FROM pg_inherits i JOIN own ON own.oid = i.inhparent JOIN pg_class c ON c.oid = i.inhrelid
                WHERE c.relispartition AND c.relkind = 'r' AND c.relnamespace = own.relnamespace
                    AND c.relname ~ ('^' || own.relname || '_(rest|[0-9]+_[0-9][0-9])$')
            ), tables AS (SELECT * FROM own UNION ALL SELECT * FROM parts
            ), parts_of AS (
                SELECT oid AS relid, 'pg_class'::regclass AS classid, oid AS objid FROM tables
                UNION ALL SELECT indrelid, 'pg_class', indexrelid FROM pg_index
                UNION ALL SELECT conrelid, 'pg_constraint', oid FROM pg_constraint
                UNION ALL SELECT adrelid, 'pg_attrdef', oid FROM pg_attrdef
                UNION ALL SELECT stxrelid, 'pg_statistic_ext', oid FROM pg_statistic_ext
            )

            """
    }()

    private static let alterations =
        named + """
            SELECT DISTINCT coalesce(o.relname, t.relname)::text, 1::bigint, quote_ident(g.tgname)
                FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid
                    LEFT JOIN pg_trigger p ON p.oid = g.tgparentid LEFT JOIN own o ON o.oid = p.tgrelid
                WHERE (NOT g.tgisinternal OR g.tgparentid <> 0) AND g.tgenabled IN ('O', 'A')
                    AND p.tgenabled IS DISTINCT FROM 'O' AND p.tgenabled IS DISTINCT FROM 'A'
                    AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.oid = g.tgconstraint AND k.contype = 'f')
            UNION ALL SELECT t.relname::text, 2, quote_ident(r.rulename)
                FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid
                WHERE r.rulename <> '_RETURN' AND r.ev_enabled IN ('O', 'A')
            UNION ALL SELECT t.relname::text, 3, '' FROM tables t WHERE t.is_filtered
            UNION ALL SELECT t.relname::text, 4, i.inhrelid::regclass::text
                FROM tables t JOIN pg_inherits i ON i.inhparent = t.oid
                WHERE i.inhrelid NOT IN (SELECT oid FROM parts)
            UNION ALL SELECT t.relname::text, 5, i.inhparent::regclass::text
                FROM own t JOIN pg_inherits i ON i.inhrelid = t.oid
            UNION ALL SELECT t.relname::text, 6, quote_ident(k.conname)
                FROM tables t JOIN pg_constraint k ON k.conrelid = t.oid
                WHERE k.contype = 'f' AND (k.confdeltype NOT IN ('a', 'r') OR k.confupdtype NOT IN ('a', 'r'))
            UNION ALL SELECT t.relname::text, 7, '' FROM tables t WHERE t.relpersistence <> 'p'
            UNION ALL SELECT t.relname::text, 8, '' FROM tables t WHERE t.relkind NOT IN ('r', 'p')
            UNION ALL SELECT c.relname::text, 9, own.relname::text
                FROM own JOIN pg_class c ON c.relnamespace = own.relnamespace
                WHERE own.relkind = 'p' AND c.relkind IN ('r', 'p')
                    AND c.relname ~ ('^' || own.relname || '_(rest|[0-9]+_[0-9][0-9])$')
                    AND NOT EXISTS (SELECT FROM pg_inherits i WHERE i.inhparent = own.oid AND i.inhrelid = c.oid)
            UNION ALL SELECT DISTINCT t.relname::text, 10, pg_describe_object(d.refclassid, d.refobjid, 0)
                FROM tables t JOIN parts_of p ON p.relid = t.oid
                    JOIN pg_depend d ON d.classid = p.classid AND d.objid = p.objid
                WHERE d.refobjid >= 16384 AND d.refclassid IN (
                        'pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass,
                        'pg_type'::regclass)
                    AND NOT EXISTS (
                        SELECT FROM pg_depend e
                        WHERE e.classid = d.refclassid AND e.objid = d.refobjid AND e.deptype = 'e')
            UNION ALL SELECT DISTINCT t.relname::text, 11, ''
                FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid JOIN pg_constraint k ON k.oid = g.tgconstraint
                WHERE g.tgisinternal AND g.tgenabled NOT IN ('O', 'A') AND k.contype = 'f'
                    AND k.conrelid IN (SELECT oid FROM tables)
            UNION ALL SELECT c.relname::text, 12, own.relname::text
                FROM own JOIN pg_inherits i ON i.inhparent = own.oid JOIN parts c ON c.oid = i.inhrelid
                WHERE i.inhdetachpending
            UNION ALL SELECT DISTINCT c.oid::regclass::text, 13, x.partition
                FROM (
                    SELECT oid, relname::text, (regexp_match(relname, '^(\(partitions))_'))[1] AS partition
                    FROM pg_class WHERE relkind = 'i' AND relname ~ '^\(partitions)_'
                ) x JOIN pg_index n ON n.indexrelid = x.oid JOIN pg_class c ON c.oid = n.indrelid
                    JOIN own ON own.relname = split_part(x.relname, '_', 1) AND own.relowner = c.relowner
                WHERE own.relkind = 'p' AND c.relkind = 'r' AND c.relpersistence <> 't'
                    AND CASE
                        WHEN c.relname = x.partition THEN c.relnamespace <> own.relnamespace
                        ELSE NOT starts_with(x.relname, c.relname || '_') END
                    AND (c.relnamespace = own.relnamespace
                        OR NOT EXISTS (SELECT FROM parts p WHERE p.relname = x.partition)
                        AND NOT EXISTS (
                            SELECT FROM pg_class o
                            WHERE o.relnamespace = c.relnamespace AND o.relname = own.relname AND o.relkind = 'p'))
                    AND NOT EXISTS (
                        SELECT FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhparent
                        WHERE i.inhrelid = c.oid AND p.relname = own.relname)
                    AND \(columns(of: "c")) = \(columns(of: "own"))
            ORDER BY 1, 2, 3 LIMIT 8
            """

    /// A pattern of the names of all partitions.
    private static let partitions =
        "(?:\(MonthlyPartitions.logs.joined(separator: "|")))_(?:rest|[0-9]+_[0-9][0-9])"

    /// The names and types of a table's columns, in their order.
    private static func columns(of table: String) -> String {
        """
        (SELECT array_agg(a.attname::text || ' ' || a.atttypid::text ORDER BY a.attnum) FROM pg_attribute a
            WHERE a.attrelid = \(table).oid AND a.attnum > 0 AND NOT a.attisdropped)
        """
    }
}
