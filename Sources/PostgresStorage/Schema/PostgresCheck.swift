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
                + quorumFindings(values, settings.durability) + tableFindings(connection)
        }
    }

    /// Whether a storage can be opened now and written to; leaves a write token behind. It is also true for a database
    /// that opening refuses with a reason, such as one without tables.
    /// - Throws: a `StoreFailure` that says why it cannot be written to.
    package static func takesCommits(_ settings: PostgresSettings, timeout: Duration) async throws -> Bool {
        try await PostgresSchema.withConnection(settings, timeout: timeout) { connection in
            let findings = try losses(settings.durability, connection) + tableFindings(connection)
            guard !findings.contains(where: \.isFatal) else { return false }
            guard !findings.contains(.noSchema) else { return true }
            // The lock is released at the end of the statement. A process that changes the schema holds it until it is
            // done.
            let isFree = try connection.statement("SELECT pg_try_advisory_xact_lock(?)").first(PostgresSchema.lock) {
                $0.bool(0)
            }
            guard isFree == true else { return false }
            var random = SecureRandom()
            try connection.takingTurn {
                try connection.statement("INSERT INTO write_tokens (token) VALUES (?)").run(random.bytes(16))
                try connection.statement("UPDATE nodes SET beat_at = beat_at WHERE false").run()
            }
            return true
        }
    }

    /// The settings with which a crash may lose acknowledged writes.
    static func losses(_ durability: Durability, _ db: any SQLConnection) throws -> [DatabaseFinding] {
        let values = try Self.values(db)
        return diskFindings(values) + commitFindings(values, durability)
    }

    /// Checks what the commits of a new connection wait for, and what else it may lose. It may differ from other
    /// connections: a database and a role have settings of their own, and so has a server that has taken over.
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
        } + RiskySetting.findings(RiskySetting.ofServer, values)
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
        return findings + RiskySetting.findings(RiskySetting.ofSession, values)
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
        let names =
            ["fsync", "full_page_writes", "synchronous_commit", "synchronous_standby_names"]
            + (RiskySetting.ofServer + RiskySetting.ofSession).map(\.name)
        // Not the view `pg_settings`, which makes a row of every setting.
        let questions = names.map { "current_setting('\($0)')" }.joined(separator: ", ")
        let values = try db.statement("SELECT \(questions)").first { row in
            names.indices.map { row.text(Int32($0)) }
        }
        return Dictionary(uniqueKeysWithValues: zip(names, values ?? []))
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
