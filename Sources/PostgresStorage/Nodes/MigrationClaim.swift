package import Identifiers
package import PostgresClient
import SQL
import StoragePorts

/// Keeps every other process from a database while it is moved into a data folder.
///
/// If a service runs on the folder, that service has the database alone (`WriterClaim`). Otherwise this object does. When
/// both have ended, the note of the move in the database (``DatabaseMove``) does.
package final class MigrationClaim: Sendable {
    /// How long it waits for a process that has just ended, or for a lost connection of it.
    static let usualTimeout = Duration.seconds(15)
    private static let pause = Duration.milliseconds(200)

    private let thread: PostgresThread
    private let connection: PostgresConnection
    /// The node of the folder; `nil` if the folder never was a node.
    private let node: FolderID?
    /// The number of commits when the claim was taken.
    package let commits: Int64

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

    /// Notes the move in its source: from then on only the folder's service uses the database, and does not write.
    /// Durable on return.
    /// - Returns: whether the database had this note already. Then nothing was written since.
    /// - Throws: also what ``requireUnchanged()`` and ``DatabaseTenant/require(_:)`` throw.
    package func note(_ move: DatabaseMove, of folder: FolderID) async throws -> Bool {
        try await requireUnchanged()
        let tenant = DatabaseTenant(folder: folder, move: move)
        return try await thread.run { [self] in
            try Self.translating {
                try connection.takingTurn {
                    // A node that starts waits for its turn, and then finds the note.
                    try Self.requireAlone(node, connection)
                    guard let noted = try DatabaseOwner.note(connection) else { throw EmptiedDatabase() }
                    try tenant.require(noted)
                    let wanted = move.note(of: folder)
                    if noted != wanted { try DatabaseOwner.set(wanted, connection) }
                    return noted == wanted
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

/// The end of a move in its two databases. Each may be repeated.
extension MigrationClaim {
    /// Notes in the source that it was moved: from then on no service uses it. Leaves a database alone that has no note of
    /// this folder or move. Durable on return.
    /// - Parameter node: the node of the folder; `nil` if the folder never was a node.
    package static func recordMigration(
        _ move: DatabaseMove, of folder: FolderID, node: FolderID?, at now: Timestamp, _ settings: PostgresSettings
    ) async throws {
        let known = DatabaseTenant(folder: folder, move: move).notes
        try await PostgresSchema.withConnection(settings) { connection in
            try PostgresCheck.requireDurableCommits(settings.durability, connection)
            try connection.takingTurn {
                guard let noted = try DatabaseOwner.note(connection), known.contains(noted) else { return }
                try DatabaseOwner.recordMigration(of: node, at: now, connection)
            }
        }
    }

    /// Gives up a move from a database of which this folder has no note: the folder that began it is another node's, or
    /// was put back. Durable on return.
    /// - Returns: whether there was one.
    /// - Throws: ``DatabaseInUse`` while a process moves the database.
    package static func release(ofAnyMove folder: FolderID, _ settings: PostgresSettings) async throws -> Bool {
        let thread = PostgresThread()
        return try await thread.run {
            try translating {
                let connection = try PostgresConnection.open(settings)
                defer { connection.close() }
                let noted = try DatabaseOwner.note(connection)
                guard let noted, noted.hasPrefix(MovingDatabase.sourceBeginning),
                    noted.hasSuffix(MovingDatabase.end(folder))
                else { return false }
                try PostgresCheck.requireDurableCommits(settings.durability, connection)
                try claim(connection, .zero)
                return try connection.takingTurn {
                    guard try DatabaseOwner.note(connection) == noted else { return false }
                    try DatabaseOwner.set(folder.description, connection)
                    return true
                }
            }
        }
    }

    /// Replaces the note of a move by the folder's: of a source that stays in use, or a target that comes into use.
    /// Leaves a database alone that has another note. Durable on return.
    package static func release(
        _ move: DatabaseMove, to folder: FolderID, _ settings: PostgresSettings
    ) async throws {
        try await PostgresSchema.withConnection(settings) { connection in
            try PostgresCheck.requireDurableCommits(settings.durability, connection)
            try connection.takingTurn {
                guard try DatabaseOwner.note(connection) == move.note(of: folder) else { return }
                try DatabaseOwner.set(folder.description, connection)
            }
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
