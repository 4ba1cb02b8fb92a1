package import Cryptography
package import Identifiers
package import PostgresClient
import SQL
import SQLStorage
import StoragePorts

/// Checks the database that a storage is to be moved to, before anything else is done.
package enum MoveTarget {
    /// Makes the tables if there are none. A database of another folder is left as it is.
    /// - Parameters:
    ///   - move: the move as the target's side.
    ///   - isContinued: whether rows may have been copied already.
    ///   - erasureKey: that of the folder.
    /// - Throws: a `StoreFailure`: ``UnsuitableTarget``, or an error of the server.
    package static func prepare(
        _ move: DatabaseMove, of folder: FolderID, isContinued: Bool, erasureKey: SecretBytes,
        _ settings: PostgresSettings
    ) async throws {
        let isThere = try await PostgresSchema.withConnection(settings) { connection in
            guard try PostgresSchema.version(connection) > 0 else { return false }
            try requireOwner(move, of: folder, connection)
            return true
        }
        _ = try await PostgresSchema.migrate(settings)
        guard isThere else { return }
        try await PostgresSchema.withConnection(settings) { connection in
            let nodes = try NodeRow.alive(but: nil, connection)
            guard nodes.isEmpty else { throw UnsuitableTarget.nodes(nodes) }
            let isOwn = try DatabaseOwner.note(connection) == move.note(of: folder)
            guard try isOwn && isContinued || isEmpty(connection) else { throw UnsuitableTarget.notEmpty }
            guard try !ErasureKeyCheck.isOther(RecipientHasher(key: erasureKey), connection) else {
                throw UnsuitableTarget.erasureKey
            }
            // A node may have run on it while it was empty. What is copied has no seals.
            try connection.begin()
            try SealDemand.reset(connection)
            try connection.commit()
        }
    }

    private static func requireOwner(_ move: DatabaseMove, of folder: FolderID, _ db: any SQLConnection) throws {
        guard let noted = try DatabaseOwner.note(db) else { return }
        do {
            try DatabaseTenant(folder: folder, move: move).require(noted)
        } catch is OtherFolder {
            throw UnsuitableTarget.otherFolder
        } catch {
            throw UnsuitableTarget.notEmpty
        }
    }

    /// Whether it has no row of the first tables that are filled, by a service and by a move.
    private static func isEmpty(_ db: any SQLConnection) throws -> Bool {
        for table in ["purposes", "organizations", "recipients"] {
            guard try db.statement("SELECT 1 FROM \(table) LIMIT 1").all(read: { _ in true }).isEmpty else {
                return false
            }
        }
        return true
    }
}

/// Why a storage cannot be moved to a database. Nothing was changed in it.
package enum UnsuitableTarget: StoreFailure, Hashable {
    case otherFolder
    /// It has rows that this move has not copied.
    case notEmpty
    case erasureKey
    /// Services that run on it.
    case nodes([String])

    package var description: String {
        switch self {
        case .otherFolder: "that database belongs to another data folder: name an empty one"
        case .notEmpty: "that database is not empty: name an empty one"
        case .erasureKey: "that database was made with another erasure.key: name an empty one"
        case .nodes(let names): "nodes use that database (\(names.joined(separator: ", "))): name an empty one"
        }
    }

    package var isTransient: Bool { true }
}
