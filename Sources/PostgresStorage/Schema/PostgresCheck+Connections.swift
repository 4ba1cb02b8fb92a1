import PostgresClient
import SQL

extension PostgresCheck {
    /// A node holds seven, and three more for a moment: while it starts, and while it looks at the server.
    private static let connectionsOfNode = 10

    /// Whether all nodes that the database knows can be connected at once, and one where it knows none. A limit may be for
    /// other programs, too: what these hold is not looked at.
    static func connectionFindings(_ connection: PostgresConnection) throws -> [DatabaseFinding] {
        var nodes = 1
        if try schemaFindings(connection).isEmpty {
            nodes = Int(try connection.statement("SELECT greatest(count(*), 1) FROM nodes").first { $0.integer(0) } ?? 1)
        }
        let needed = nodes * connectionsOfNode
        let limits = try ConnectionLimit.all(connection).filter { $0.connections < needed }
        return limits.map { .fewConnections($0, needed: needed, nodes: nodes) }
    }
}

/// How many connections a server, a database or a role may have.
package struct ConnectionLimit: Hashable, Sendable, CustomStringConvertible {
    private enum Owner: Hashable {
        case server
        case database
        case role
    }

    private let owner: Owner
    /// Without those that are kept for superusers.
    let connections: Int

    /// Those that there are. Without one of its own, a database or a role has what its server has.
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

    /// - Parameter connections: the least that will do.
    func remedy(_ connections: Int) -> String {
        switch owner {
        case .server:
            "Raise max_connections by \(connections - self.connections) or more, and restart the server."
        case .database: "ALTER DATABASE … CONNECTION LIMIT \(connections)"
        case .role: "ALTER ROLE … CONNECTION LIMIT \(connections)"
        }
    }
}
