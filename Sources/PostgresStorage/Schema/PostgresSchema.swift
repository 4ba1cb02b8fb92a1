import Identifiers
package import PostgresClient
import SQL
import StoragePorts

/// Makes the tables, and migrates those of an earlier version of the service.
package enum PostgresSchema {
    /// The steps of the migration; `schema_version` in a database says how many it has.
    private static let versions = [
        Tables.all.joined(separator: "\n"), Tables.nodes, Tables.peers, Tables.feeds, Tables.endpoints,
        Tables.sessions,
        Tables.accesses,
        Tables.consentCounts,
        Tables.keyUses,
        Tables.personIndex,
        Tables.ledgerCheckOfNode,
        Tables.uncountedPeople,
        Tables.evidenceWordPeople,
        Tables.purgeClockOfHold,
        Tables.evidenceWordsByBytes,
        Tables.consentsNotGiven,
        Tables.keyPages,
        Tables.clockFaults,
        Tables.replicaIdentities,
        Tables.ledgerSeals,
    ]
    /// The advisory lock that is held while a schema is changed: "consentS" in ASCII.
    static let lock: Int64 = 0x636F_6E73_656E_7453

    package static var current: Int { versions.count }

    /// The names of all tables, without partitions.
    static let tables = ["schema_version"] + versions.flatMap(tables(of:))

    private static func tables(of step: String) -> [String] {
        step.matches(of: /CREATE TABLE ([a-z_]+) \(/).map { String($0.output.1) }
    }

    package struct Outcome: Hashable, Sendable {
        /// 0 if the database was empty.
        package let from: Int
        package let to: Int
    }

    /// Makes the tables in an empty database, or runs the steps that an older database lacks. A database that is up to
    /// date is not changed. Two processes may do it at the same time.
    /// - Throws: a `StoreFailure`: ``SchemaError``, or an error of the server.
    package static func migrate(_ settings: PostgresSettings) async throws -> Outcome {
        try await withConnection(settings, timeout: nil) { connection in
            try connection.statement("SELECT pg_advisory_lock(?)").run(lock)
            let from = try version(connection)
            guard from <= current else { throw SchemaError.newer(found: from, known: current) }
            if from == 0 { try requireEmpty(connection) }
            guard from < current else { return Outcome(from: from, to: current) }
            try connection.run(
                script: """
                    BEGIN;
                    CREATE TABLE IF NOT EXISTS schema_version (
                        one boolean PRIMARY KEY DEFAULT true CHECK (one), version int NOT NULL
                    );
                    \(versions[from...].joined(separator: "\n"))
                    INSERT INTO schema_version (version) VALUES (\(current))
                        ON CONFLICT (one) DO UPDATE SET version = excluded.version;
                    COMMIT;
                    """)
            return Outcome(from: from, to: current)
        }
    }

    /// The schema version of a database; 0 if it has no tables of this service.
    static func version(_ connection: PostgresConnection) throws -> Int {
        let isThere = try connection.statement("SELECT to_regclass('schema_version') IS NOT NULL").first { $0.bool(0) }
        guard isThere == true else {
            try requireOwnSchema(connection)
            return 0
        }
        return try connection.statement("SELECT version FROM schema_version").first { Int($0.integer(0)) } ?? 0
    }

    /// Tables are made and looked up in the schemas that the search path names.
    private static func requireOwnSchema(_ connection: PostgresConnection) throws {
        let isOwn = try connection.statement("SELECT current_schema() <> 'pg_catalog'").first { row in
            !row.isNull(0) && row.bool(0)
        }
        guard isOwn == true else { throw SchemaError.nowhere }
    }

    /// A database that other programs use is left alone.
    private static func requireEmpty(_ connection: PostgresConnection) throws {
        let table = try connection.statement(
            "SELECT 1 FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') LIMIT 1"
        ).first { _ in true }
        guard table == nil else { throw SchemaError.foreign }
    }

    static func withConnection<Value: Sendable>(
        _ settings: PostgresSettings, timeout: Duration? = .seconds(60),
        _ body: @escaping @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await PostgresThread().run {
            do {
                let connection = try PostgresConnection.open(settings, timeout: timeout)
                defer { connection.close() }
                return try body(connection)
            } catch let error as PostgresError {
                throw error.storageError
            }
        }
    }
}

/// Why the tables of a database cannot be used.
enum SchemaError: StoreFailure, Hashable {
    /// There are tables, but none of this service.
    case foreign
    /// The search path names no existing schema.
    case nowhere
    /// A later version of the service has changed them.
    case newer(found: Int, known: Int)

    var description: String {
        switch self {
        case .foreign: "the database has tables of another program: give ConsentLink a database or a schema of its own"
        case .nowhere:
            """
            search_path names no existing schema that the role may use: set it for the role or the database, as \
            in ALTER DATABASE … SET search_path = public
            """
        case .newer(let found, let known):
            "the database has schema version \(found), this service knows versions up to \(known)"
        }
    }

    var isTransient: Bool { true }
}
