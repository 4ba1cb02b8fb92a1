import StoragePorts

/// A problem of a server or a database, and its remedy.
package enum DatabaseFinding: Hashable, Sendable, CustomStringConvertible {
    /// With this setting a crash loses acknowledged writes.
    case losing(setting: String, value: String, needed: String)
    /// With this setting the server drops, alters or accepts rows without an error.
    case risky(setting: String, value: String, needed: String, effect: String)
    /// `durability` is `quorum`, and no standby is synchronous.
    case noStandby
    /// `durability` is `quorum`, and commits wait for any of these standbys.
    case anyStandby(String)
    /// `durability` is `quorum`, and this standby would at first not wait for another one after it has taken over.
    case standbyThatDoesNotWait(String)
    case encoding(String)
    /// There may be fewer connections than the nodes need.
    case fewConnections(ConnectionLimit, needed: Int, nodes: Int)
    /// Transaction ids run out, because a database has rows that were not frozen for `age` transactions.
    case oldTransactions(database: String, age: Int64)
    /// The sequence of a column gives numbers that the table has, as after a restore of rows without sequences.
    case sequenceBehind(table: String, column: String, next: Int64, greatest: Int64)
    /// The row of the writers has a number that no node makes.
    case forgedNumber(column: String, Int64)
    /// A table of the service has something that may keep from it what is acknowledged.
    case altered(table: String, TableAlteration)
    /// Another role may make functions beside the tables.
    case openSchema(String, role: String)
    /// The URL names authorities for the server's certificate, and a mode in which libpq does not use them.
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
            .sequenceBehind, .forgedNumber, .openSchema, .unverifiedServer, .distantServer:
            false
        default: true
        }
    }

    /// Why a crash may lose acknowledged writes; `nil` for a finding that loses none.
    var risk: DurabilityRisk? {
        switch self {
        case .losing(let setting, let value, let needed): Self.risk(of: setting, value, needed)
        case .risky, .noStandby, .anyStandby, .standbyThatDoesNotWait: .other(description)
        case .encoding, .fewConnections, .oldTransactions, .sequenceBehind, .forgedNumber, .altered, .openSchema,
            .unverifiedServer, .distantServer, .noSchema, .oldSchema, .newSchema:
            nil
        }
    }

    private static func risk(of setting: String, _ value: String, _ needed: String) -> DurabilityRisk {
        .setting("\(setting) is \(value) and must be \(needed)")
    }

    package var description: String {
        switch self {
        case .losing(let setting, let value, let needed): Self.risk(of: setting, value, needed).description
        case .risky(let setting, let value, let needed, let effect):
            "\(setting) is \(value) and must be \(needed): \(effect)"
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
        case .altered(let table, let alteration): alteration.description(of: table)
        case .openSchema(let schema, let role):
            "\(role) may make objects in the schema \(schema): a function there may be run by this service"
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
        case .risky(let setting, _, let needed, _): RiskySetting.remedy(setting, needed)
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
        case .altered(let table, let alteration): alteration.remedy(of: table)
        case .openSchema(let schema, let role): "REVOKE CREATE ON SCHEMA \(schema) FROM \(role)"
        case .unverifiedServer: "Add sslmode=verify-full to the URL."
        case .distantServer: "Run the nodes near the server that takes writes."
        case .noSchema: "consentlink database init; or start the service, which does it."
        case .oldSchema: "consentlink database migrate; or start the service, which does it."
        case .newSchema: "Start the version of ConsentLink that has changed it."
        }
    }
}
