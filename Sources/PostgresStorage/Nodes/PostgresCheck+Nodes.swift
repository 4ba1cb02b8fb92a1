package import PostgresClient
import SQL
package import StoragePorts

extension PostgresCheck {
    /// A node has seven connections, and three more for a moment: while it starts, and while it checks the server.
    /// While no standby confirms, the server keeps six that the node has given up (``WaitingCommits``): one of the
    /// writer, one of the feed of rules, and one of each reader.
    private static func connectionsOfNode(_ durability: Durability) -> Int { durability == .quorum ? 16 : 10 }

    /// The nodes that share a database; none if it does not have the tables of this version.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func nodes(_ settings: PostgresSettings, timeout: Duration = .seconds(60)) async throws -> [Node] {
        try await PostgresSchema.withConnection(settings, timeout: timeout, nodes)
    }

    /// The limits that do not allow all nodes in the database, or one if there is none, to be connected at the same time.
    /// Other programs may use the same limit; their connections are not counted.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func connectionFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        try await PostgresSchema.withConnection(settings) { connection in
            let nodes = max(1, try nodes(connection).count)
            let needed = nodes * connectionsOfNode(settings.durability)
            return try ConnectionLimit.all(connection).filter { $0.connections < needed }
                .map { .fewConnections($0, needed: needed, nodes: nodes) }
        }
    }

    /// What the way to the server lacks: its certificate is not verified, or it is too long for the times that
    /// `docs/many-nodes.md` promises.
    /// - Throws: a `StoreFailure` if the check fails.
    package static func networkFindings(_ settings: PostgresSettings) async throws -> [DatabaseFinding] {
        let took = try await PostgresSchema.withConnection(settings, roundTrip)
        return (settings.location.verifiesNothing ? [.unverifiedServer] : [])
            + (took > longestRoundTrip ? [.distantServer(took)] : [])
    }

    /// A node polls several times in the second for which it is fresh, and each poll takes some round trips.
    private static let longestRoundTrip = Duration.milliseconds(20)

    /// The shortest of some: a busy server does not make the network slow.
    private static func roundTrip(_ connection: PostgresConnection) throws -> Duration {
        try (0..<4).map { _ in
            try ContinuousClock().measure { try connection.statement("SELECT 1").first { _ in } }
        }.min() ?? .zero
    }

    private static func nodes(_ connection: PostgresConnection) throws -> [Node] {
        try schemaFindings(connection).isEmpty ? NodeRow.all(connection) : []
    }
}
