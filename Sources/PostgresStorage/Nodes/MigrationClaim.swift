package import Identifiers
package import PostgresClient
import SQL
import StoragePorts

/// Keeps every other process from a database while it is moved into a data folder, and notes in the database afterwards
/// that it was moved.
///
/// If a service runs on the folder, that service has the database alone (`WriterClaim`). Otherwise this object does.
package final class MigrationClaim: Sendable {
    /// How long it waits for a process that has just ended, or for a lost connection of it.
    static let usualTimeout = Duration.seconds(15)
    private static let pause = Duration.milliseconds(200)

    private let thread: PostgresThread
    private let connection: PostgresConnection
    /// The node of the folder; `nil` if the folder never was a node.
    private let node: FolderID?
    /// The number of commits when the claim was taken.
    private let commits: Int64

    private init(_ thread: PostgresThread, _ connection: PostgresConnection, _ node: FolderID?, commits: Int64) {
        (self.thread, self.connection, self.node, self.commits) = (thread, connection, node, commits)
    }

    /// - Parameters:
    ///   - node: the node of the folder; `nil` if the folder never was a node.
    ///   - isHeldByService: whether a service that runs on the folder has the database alone.
    ///   - timeout: how long it waits for another process that has the database.
    /// - Throws: ``DatabaseInUse`` if another node runs or has the database; ``ClicksElsewhere``.
    package static func acquire(
        _ settings: PostgresSettings, of node: FolderID?, isHeldByService: Bool, timeout: Duration = usualTimeout
    ) async throws -> MigrationClaim {
        let thread = PostgresThread()
        return try await thread.run {
            try translating {
                let connection = try PostgresConnection.open(settings)
                do {
                    try requireAlone(node, connection)
                    if !isHeldByService { try claim(connection, timeout) }
                    return MigrationClaim(thread, connection, node, commits: try commits(connection))
                } catch {
                    connection.close()
                    throw error
                }
            }
        }
    }

    /// - Throws: ``DatabaseInUse`` if a node other than the folder's runs; ``ClicksElsewhere`` if one may have clicks that
    ///   are not stored.
    package static func requireAlone(_ settings: PostgresSettings, but node: FolderID?) async throws {
        try await PostgresSchema.withConnection(settings) { connection in try requireAlone(node, connection) }
    }

    /// - Throws: ``DatabaseInUse`` if something was written since the claim was taken, or if the claim may have been
    ///   lost.
    package func requireUnchanged() async throws {
        try await thread.run { [self] in
            try Self.translating {
                try Self.requireAlone(node, connection)
                guard try Self.commits(connection) == commits else { throw DatabaseInUse(nodes: []) }
            }
        }
    }

    /// Notes that the database was moved: from then on no service uses it. Durable on return.
    package func recordMigration(at now: Timestamp) async throws {
        try await thread.run { [self] in
            try Self.translating {
                try connection.begin()
                do {
                    try connection.statement("SELECT FROM writer FOR UPDATE").first { _ in }
                    try DatabaseOwner.recordMigration(of: node, at: now, connection)
                    try connection.commit()
                } catch {
                    connection.rollBack()
                    throw error
                }
            }
        }
    }

    /// Releases the database.
    package func end() async { try? await thread.run { [connection] in connection.close() } }

    private static func requireAlone(_ node: FolderID?, _ connection: PostgresConnection) throws {
        let others = try NodeRow.alive(but: node, connection)
        guard others.isEmpty else { throw DatabaseInUse(nodes: others) }
        let holders = try NodeRow.withClicks(but: node, connection)
        guard holders.isEmpty else { throw ClicksElsewhere(holders: holders) }
    }

    private static func claim(_ connection: PostgresConnection, _ timeout: Duration) throws {
        let deadline = ContinuousClock.now + timeout
        while true {
            do {
                return try WriterClaim(isAlone: true).acquire(connection)
            } catch is WriterBusy {
                guard ContinuousClock.now < deadline else { throw DatabaseInUse(nodes: []) }
                PostgresThread.sleepHere(for: pause)
            }
        }
    }

    private static func commits(_ connection: PostgresConnection) throws -> Int64 {
        try connection.statement("SELECT generation FROM writer").first { $0.integer(0) } ?? 0
    }

    private static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PostgresError {
            throw error.storageError
        }
    }
}

/// Other nodes use a database that is to be moved.
struct DatabaseInUse: StoreFailure, Hashable {
    /// The names of the running nodes; empty if it is not known which process has the database.
    let nodes: [String]

    var description: String {
        nodes.isEmpty
            ? "another process uses the database, or did meanwhile: stop it, and run this again"
            : "other nodes use the database: stop \(nodes.joined(separator: ", ")), and run this again"
    }

    var isTransient: Bool { true }
}

/// Nodes that do not run may have clicks in their spools, which could not be stored any more after a move.
struct ClicksElsewhere: StoreFailure, Hashable {
    struct Holder: Hashable {
        let name: String
        /// `nil` if the node did not say that it ended.
        let clicks: Int?
    }

    let holders: [Holder]

    var description: String {
        let list = holders.map { holder in
            "\(holder.name) (\(holder.clicks.map { "\($0) when it ended" } ?? "it did not say that it ended"))"
        }
        return """
            clicks of other nodes are not stored, or may not be: \(list.joined(separator: ", ")). Start these nodes once \
            more and stop them, or give their clicks up with consentlink node remove --force, and run this again
            """
    }

    var isTransient: Bool { true }
}
