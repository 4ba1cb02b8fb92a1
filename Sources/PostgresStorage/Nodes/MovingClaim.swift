package import Identifiers
import Organizations
package import PostgresClient
import SQL

/// Keeps every other process from a database while it is moved into a data folder, and says in it afterwards that it was
/// moved.
///
/// Where a service runs on the folder, that service has the database alone (`WriterClaim`). Otherwise this does.
package final class MovingClaim: Sendable {
    /// How long a process that has just ended, or a lost connection of it, is waited for.
    static let usualPatience = Duration.seconds(15)
    private static let pause = Duration.milliseconds(200)

    private let thread: PostgresThread
    private let connection: PostgresConnection
    /// The node of the folder; `nil` for a folder that never was one.
    private let node: FolderID?
    /// How many transactions were committed when it was taken.
    private let commits: Int64

    private init(_ thread: PostgresThread, _ connection: PostgresConnection, _ node: FolderID?, commits: Int64) {
        (self.thread, self.connection, self.node, self.commits) = (thread, connection, node, commits)
    }

    /// - Parameters:
    ///   - node: of the folder; `nil` for a folder that never was one.
    ///   - isHeldByService: whether a service that runs on the folder has the database alone.
    ///   - patience: with another process that has the database.
    /// - Throws: ``DatabaseInUse`` while another node runs or has the database.
    package static func take(
        _ settings: PostgresSettings, of node: FolderID?, isHeldByService: Bool, patience: Duration = usualPatience
    ) async throws -> MovingClaim {
        let thread = PostgresThread()
        return try await thread.run {
            try translating {
                let connection = try PostgresConnection(settings.location, password: settings.password)
                do {
                    try requireAlone(node, connection)
                    if !isHeldByService { try claim(connection, patience) }
                    return MovingClaim(thread, connection, node, commits: try commits(connection))
                } catch {
                    connection.close()
                    throw error
                }
            }
        }
    }

    /// - Throws: ``DatabaseInUse`` while another node than that of the folder runs.
    package static func requireAlone(_ settings: PostgresSettings, but node: FolderID?) async throws {
        try await PostgresSchema.withConnection(settings) { connection in try requireAlone(node, connection) }
    }

    /// - Throws: ``DatabaseInUse`` when something was written since the claim was taken, or the claim may have been lost.
    package func requireUnchanged() async throws {
        try await thread.run { [self] in
            try Self.translating {
                try Self.requireAlone(node, connection)
                guard try Self.commits(connection) == commits else { throw DatabaseInUse(nodes: []) }
            }
        }
    }

    /// Notes that the database was moved: no service uses it any more. Durable on return.
    package func noteMove(at now: Timestamp) async throws {
        try await thread.run { [self] in
            try Self.translating {
                try connection.begin()
                do {
                    try connection.statement("SELECT FROM writer FOR UPDATE").first { _ in }
                    try FolderMark.noteMove(of: node, at: now, connection)
                    try connection.commit()
                } catch {
                    connection.rollBack()
                    throw error
                }
            }
        }
    }

    /// Gives the database up.
    package func end() async { try? await thread.run { [connection] in connection.close() } }

    private static func requireAlone(_ node: FolderID?, _ connection: PostgresConnection) throws {
        let others = try NodeRow.alive(but: node, connection)
        guard others.isEmpty else { throw DatabaseInUse(nodes: others) }
    }

    private static func claim(_ connection: PostgresConnection, _ patience: Duration) throws {
        let deadline = ContinuousClock.now + patience
        while true {
            do {
                return try WriterClaim(isAlone: true).take(connection)
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

/// A database that should be moved is used by other nodes.
struct DatabaseInUse: StoreFailure, Hashable {
    /// Those that run; empty where it is not known who has it.
    let nodes: [String]

    var description: String {
        nodes.isEmpty
            ? "another process uses the database, or did meanwhile: stop it, and run this again"
            : "other nodes use the database: stop \(nodes.joined(separator: ", ")), and run this again"
    }

    var isTransient: Bool { true }
}
