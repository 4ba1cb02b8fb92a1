import Cryptography
package import PostgresClient
import SQL
import StoragePorts

/// Checks a server and a database for problems that would lose acknowledged writes or keep the service from starting.
package enum PostgresCheck {
    /// Changes nothing.
    /// - Returns: the problems, the worst first; empty if there are none.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func findings(
        _ settings: PostgresSettings, timeout: Duration = .seconds(60)
    ) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings, timeout: timeout) { connection in
            let values = try Self.values(connection)
            return try diskFindings(values) + commitFindings(values, settings.durability)
                + quorumFindings(values, settings.durability) + schemaFindings(connection)
        }
    }

    /// Whether a storage can be opened now and written to; leaves a write token behind. It is also true for a database
    /// that opening refuses with a reason, such as one without tables.
    /// - Throws: a `StoreFailure` that says why it cannot be written to.
    package static func takesCommits(_ settings: PostgresSettings, timeout: Duration) async throws -> Bool {
        try await PostgresSchema.withConnection(settings, timeout: timeout) { connection in
            let findings = try losses(settings.durability, connection) + schemaFindings(connection)
            guard !findings.contains(where: \.isFatal) else { return false }
            guard !findings.contains(.noSchema) else { return true }
            // The lock is released at the end of the statement. A process that changes the schema holds it until it is
            // done.
            let isFree = try connection.statement("SELECT pg_try_advisory_xact_lock(?)").first(PostgresSchema.lock) {
                $0.bool(0)
            }
            guard isFree == true else { return false }
            var random = SecureRandom()
            try connection.begin()
            try connection.statement("SELECT FROM writer FOR UPDATE").first { _ in }
            try connection.statement("INSERT INTO write_tokens (token) VALUES (?)").run(random.bytes(16))
            try connection.statement("UPDATE nodes SET beat_at = beat_at WHERE false").run()
            try connection.commit()
            return true
        }
    }

    /// The settings with which a crash may lose acknowledged writes.
    static func losses(_ durability: Durability, _ db: any SQLConnection) throws -> [DatabaseFinding] {
        let values = try Self.values(db)
        return diskFindings(values) + commitFindings(values, durability)
    }

    /// Checks what the commits of a new connection wait for. It may differ from other connections: a database and a
    /// role have settings of their own, and so has a server that has taken over.
    /// - Throws: ``UnsafeDatabase``
    static func requireDurableCommits(_ durability: Durability, _ db: any SQLConnection) throws {
        let findings = commitFindings(try values(db), durability)
        guard findings.isEmpty else { throw UnsafeDatabase(findings) }
    }

    /// The problems of the standbys among the hosts of the location, which may take over. Standbys that cannot be
    /// reached are left out. Blocks a thread of its own until they have answered.
    package static func standbyFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        guard settings.durability == .quorum, settings.location.hosts.count > 1 else { return [] }
        return try await PostgresThread().run {
            PostgresConnection.standbys(settings.location, password: settings.password)
                .filter(\.synchronousNames.isEmpty).map { .standbyThatDoesNotWait("\($0.host.name):\($0.host.port)") }
        }
    }

    /// Whether a Patroni agent is connected to the server. Every role can see its name.
    package static func isManagedByPatroni(_ settings: PostgresSettings) async throws -> Bool {
        try await PostgresSchema.withConnection(settings) { connection in
            try connection.statement("SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'Patroni%' LIMIT 1")
                .first { _ in true } ?? false
        }
    }

    private static func diskFindings(_ values: [String: String]) -> [DatabaseFinding] {
        ["fsync", "full_page_writes"].filter { values[$0] != "on" }.map { name in
            .losing(setting: name, value: values[name] ?? "unknown", needed: "on")
        }
    }

    private static func commitFindings(_ values: [String: String], _ durability: Durability) -> [DatabaseFinding] {
        var findings: [DatabaseFinding] = []
        let commit = values["synchronous_commit"] ?? "unknown"
        if commit != "on", commit != "remote_apply" {
            findings.append(.losing(setting: "synchronous_commit", value: commit, needed: "on"))
        }
        if durability == .quorum, values["synchronous_standby_names"]?.isEmpty != false {
            findings.append(.noStandby)
        }
        return findings
    }

    /// Commits wait for some of several standbys. Only a check reports this, and it does not keep a service from
    /// starting: no write is lost if the standby that takes over has every commit, which the database cannot tell.
    private static func quorumFindings(_ values: [String: String], _ durability: Durability) -> [DatabaseFinding] {
        guard durability == .quorum, let names = values["synchronous_standby_names"],
            StandbyNames(names).waitsForSome
        else { return [] }
        return [.anyStandby(names)]
    }

    static func schemaFindings(_ connection: PostgresConnection) throws -> [DatabaseFinding] {
        let encoding = try connection.statement("SELECT current_setting('server_encoding')").first { $0.text(0) }
        var findings: [DatabaseFinding] = encoding == "UTF8" ? [] : [.encoding(encoding ?? "unknown")]
        let version = try PostgresSchema.version(connection)
        if version == 0 {
            findings.append(.noSchema)
        } else if version < PostgresSchema.current {
            findings.append(.oldSchema(found: version, current: PostgresSchema.current))
        } else if version > PostgresSchema.current {
            findings.append(.newSchema(found: version, current: PostgresSchema.current))
        }
        return findings
    }

    private static func values(_ db: any SQLConnection) throws -> [String: String] {
        let names = ["fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"]
        // Not the view `pg_settings`, which makes a row of every setting.
        let questions = names.map { "current_setting('\($0)')" }.joined(separator: ", ")
        let values = try db.statement("SELECT \(questions)").first { row in
            names.indices.map { row.text(Int32($0)) }
        }
        return Dictionary(uniqueKeysWithValues: zip(names, values ?? []))
    }
}

/// A problem of a server or a database, and its remedy.
package enum DatabaseFinding: Hashable, Sendable, CustomStringConvertible {
    /// With this setting a crash loses acknowledged writes.
    case losing(setting: String, value: String, needed: String)
    /// `durability` is `quorum`, and no standby is synchronous.
    case noStandby
    /// `durability` is `quorum`, and commits wait for any of these standbys.
    case anyStandby(String)
    /// `durability` is `quorum`, and this standby would at first not wait for another one after it has taken over.
    case standbyThatDoesNotWait(String)
    case encoding(String)
    /// There may be fewer connections than the nodes need.
    case fewConnections(ConnectionLimit, needed: Int, nodes: Int)
    /// Transaction ids run out, because a database has rows that were not frozen for so many transactions.
    case oldTransactions(database: String, age: Int64)
    /// The sequence of a column gives numbers that the table has, as after a restore of rows without sequences.
    case sequenceBehind(table: String, column: String, next: Int64, greatest: Int64)
    /// The row of the writers has a number that no node makes.
    case forgedNumber(column: String, Int64)
    /// The URL names authorities in vain.
    case unverifiedServer
    /// A round trip takes this time.
    case distantServer(Duration)
    case noSchema
    case oldSchema(found: Int, current: Int)
    case newSchema(found: Int, current: Int)

    /// Whether a service must not start with it. A service makes and upgrades a schema by itself.
    package var isFatal: Bool {
        switch self {
        case .noSchema, .oldSchema, .anyStandby, .standbyThatDoesNotWait, .fewConnections, .oldTransactions,
            .sequenceBehind, .forgedNumber, .unverifiedServer, .distantServer:
            false
        default: true
        }
    }

    /// Why a crash may lose acknowledged writes; `nil` for a finding that loses none.
    var risk: DurabilityRisk? {
        switch self {
        case .losing(let setting, let value, let needed): Self.risk(of: setting, value, needed)
        case .noStandby, .anyStandby, .standbyThatDoesNotWait: .other(description)
        case .encoding, .fewConnections, .oldTransactions, .sequenceBehind, .forgedNumber, .unverifiedServer,
            .distantServer, .noSchema, .oldSchema, .newSchema:
            nil
        }
    }

    private static func risk(of setting: String, _ value: String, _ needed: String) -> DurabilityRisk {
        .setting("\(setting) is \(value) and must be \(needed)")
    }

    package var description: String {
        switch self {
        case .losing(let setting, let value, let needed): Self.risk(of: setting, value, needed).description
        case .noStandby:
            "synchronous_standby_names is empty, and durability is quorum: no standby has the acknowledged writes"
        case .anyStandby(let names):
            """
            synchronous_standby_names is \(names), and durability is quorum: a standby that takes over may not have \
            acknowledged writes, and a node may believe rules that are no longer in force
            """
        case .standbyThatDoesNotWait(let server):
            """
            synchronous_standby_names is empty on the standby \(server): after it has taken over it may acknowledge \
            writes that no other server has, for as long as a checkpoint takes
            """
        case .encoding(let found): "the encoding of the database is \(found) and must be UTF8"
        case .fewConnections(let limit, let needed, let nodes):
            """
            \(limit) allows \(limit.connections) connections, and \(nodes == 1 ? "a node" : "\(nodes) nodes") may need \
            \(needed)
            """
        case .oldTransactions(let database, let age):
            """
            the database \(database) has rows that were not frozen for \(age) transactions: at 2,144 million the server \
            refuses every write
            """
        case .sequenceBehind(let table, let column, let next, let greatest):
            """
            the sequence of \(table).\(column) gives \(next) next, and the table has numbers up to \(greatest): new rows \
            are refused
            """
        case .forgedNumber(let column, let found):
            "writer.\(column) is \(found), which no node writes: the database was changed"
        case .unverifiedServer:
            "the URL names sslrootcert, and no sslmode with which the server's certificate is verified"
        case .distantServer(let roundTrip):
            """
            a round trip to the server takes \(Int(roundTrip / .milliseconds(1))) ms, and should take 20 ms at most: \
            nodes are not ready for a part of the time, and withdrawals take longer
            """
        case .noSchema: "the database has no tables of ConsentLink yet"
        case .oldSchema(let found, let current):
            "the database has schema version \(found), and this version needs \(current)"
        case .newSchema(let found, let current):
            "the database has schema version \(found), and this version knows \(current) at most"
        }
    }

    package var remedy: String {
        switch self {
        case .losing(let setting, _, let needed):
            "As a superuser: ALTER SYSTEM SET \(setting) = \(needed); then: SELECT pg_reload_conf()"
        case .noStandby: "Configure a synchronous standby, or set durability to local for a server that stands alone."
        case .anyStandby:
            """
            With Patroni: synchronous_mode: true, and not quorum. Without: name the one standby that may take over, as in \
            FIRST 1 (standby1).
            """
        case .standbyThatDoesNotWait:
            "Set it on every server, with Patroni through custom_conf, as in Deploy/patroni/postgresql.base.conf."
        case .encoding: "Make the database anew: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0"
        case .fewConnections(let limit, let needed, _): limit.remedy(needed)
        case .oldTransactions(let database, _):
            """
            End old transactions, also prepared ones, drop replication slots that are not used, and as a superuser run \
            VACUUM FREEZE in \(database).
            """
        case .sequenceBehind(let table, let column, _, let greatest):
            """
            Set it to its value of before, or at least: SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), \
            \(greatest))
            """
        case .forgedNumber(PostgresCheck.feedPosition, _):
            """
            End all nodes, and: UPDATE writer SET (feed_position, feed_mark) = (SELECT position, mark FROM rule_changes \
            WHERE position BETWEEN 0 AND \(PostgresCheck.endOfPositions) ORDER BY position DESC LIMIT 1); or to 0 and 0 \
            if that has no row. Then find out who can write to the database.
            """
        case .forgedNumber:
            "Nodes pass over it, and the next write replaces it. Find out who can write to the database."
        case .unverifiedServer: "Add sslmode=verify-full to the URL."
        case .distantServer: "Run the nodes near the server that takes writes."
        case .noSchema: "consentlink database init; or start the service, which does it."
        case .oldSchema: "consentlink database migrate; or start the service, which does it."
        case .newSchema: "Start the version of ConsentLink that has changed it."
        }
    }
}

/// A server or a database with which a service does not start.
package struct UnsafeDatabase: StoreFailure {
    package let findings: [DatabaseFinding]

    package init(_ findings: [DatabaseFinding]) { self.findings = findings }

    package var description: String {
        findings.map { "\($0). \($0.remedy)" }.joined(separator: "; ")
    }

    package var isTransient: Bool { true }
}
