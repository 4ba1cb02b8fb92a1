import PostgresClient
import SQL

/// The limit of connections of a server, a database or a role.
package struct ConnectionLimit: Hashable, Sendable, CustomStringConvertible {
    private enum Owner: Hashable {
        case server
        case database
        case role
    }

    private let owner: Owner
    /// Without the connections that are reserved for superusers.
    let connections: Int

    /// All limits that are set. A database or a role without a limit is only subject to the server's.
    static func all(_ connection: PostgresConnection) throws -> [ConnectionLimit] {
        let found = try connection.statement(
            """
            SELECT
                current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
                (SELECT datconnlimit FROM pg_database WHERE datname = current_database()),
                (SELECT rolconnlimit FROM pg_roles WHERE rolname = session_user)
            """
        ).first { row in [row.integer(0), row.integer(1), row.integer(2)] }
        return zip([Owner.server, .database, .role], found ?? []).filter { $1 >= 0 }.map { owner, connections in
            ConnectionLimit(owner: owner, connections: Int(connections))
        }
    }

    package var description: String {
        switch owner {
        case .server: "max_connections of the server, without those for superusers,"
        case .database: "CONNECTION LIMIT of the database"
        case .role: "CONNECTION LIMIT of the role"
        }
    }

    /// - Parameter connections: the least number that is enough.
    func remedy(_ connections: Int) -> String {
        switch owner {
        case .server:
            "Raise max_connections by \(connections - self.connections) or more, and restart the server."
        case .database: "ALTER DATABASE … CONNECTION LIMIT \(connections)"
        case .role: "ALTER ROLE … CONNECTION LIMIT \(connections)"
        }
    }
}
