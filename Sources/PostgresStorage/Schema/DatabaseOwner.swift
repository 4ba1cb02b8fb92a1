import Identifiers
import PostgresClient
import SQL
import StoragePorts

/// The data folder that a database belongs to: the keys and the spool of a folder cannot be used with another database.
enum DatabaseOwner {
    /// Notes the folder in a database that has no such note yet, inside a write. If the database is the target of the
    /// folder's move, notes the move until it is done, and then the folder.
    /// - Parameter isNew: whether nothing was ever stored for the folder.
    /// - Throws: ``EmptiedDatabase`` if the folder is not new and the database has no note; what
    ///   ``DatabaseTenant/require(_:)`` throws.
    static func check(_ tenant: DatabaseTenant, isNew: Bool, _ db: any SQLConnection) throws {
        guard let noted = try note(db) else {
            guard isNew else { throw EmptiedDatabase() }
            let note = tenant.wantedNote ?? tenant.folder.description
            return try db.statement("INSERT INTO folder (id) VALUES (?)").run(note)
        }
        try tenant.require(noted)
        if let wanted = tenant.wantedNote, wanted != noted { try set(wanted, db) }
    }

    /// Checks that a new connection leads to the folder's database, and that all of it is there. A database that was
    /// renamed, or dropped and made again, is found by its name like the one before. While a dump is restored, tables
    /// and rows come one after the other: the row of the writer is of the last table, and keys follow all rows.
    /// - Throws: ``EmptiedDatabase``; ``IncompleteDatabase``; what ``DatabaseTenant/require(_:)`` throws.
    static func require(_ tenant: DatabaseTenant, _ db: any SQLConnection) throws {
        let hasTables = try db.statement(
            "SELECT to_regclass('folder') IS NOT NULL AND to_regclass('writer') IS NOT NULL"
        ).first { $0.bool(0) }
        guard hasTables == true else { throw EmptiedDatabase() }
        let found = try db.statement(
            """
            SELECT (SELECT id FROM folder LIMIT 1), EXISTS (SELECT FROM writer) AND EXISTS (
                SELECT FROM pg_constraint WHERE conrelid = to_regclass('writer') AND contype = 'p'
            )
            """
        ).first { row in (note: row.isNull(0) ? nil : row.text(0), isWhole: row.bool(1)) }
        guard let found, let note = found.note else { throw EmptiedDatabase() }
        try tenant.require(note)
        guard found.isWhole else { throw IncompleteDatabase() }
    }

    /// Why the database is not used until it is the folder's again; `nil` for any other error.
    static func refusal(_ error: any Error) -> String? {
        switch error {
        case let error as EmptiedDatabase: error.description
        case let error as OtherFolder: error.description
        case let error as IncompleteDatabase: error.description
        case let error as MovingDatabase: error.description
        case let error as PostgresError where error.isOfSchema || error.reason == .pooled: error.description
        default: nil
        }
    }

    /// The folder's id, or the note of a move; `nil` if there is none.
    static func note(_ db: any SQLConnection) throws -> String? {
        try db.statement("SELECT id FROM folder").first { $0.text(0) }
    }

    /// Replaces the note, inside a write.
    static func set(_ note: String, _ db: any SQLConnection) throws {
        try db.statement("UPDATE folder SET id = ?").run(note)
    }

    /// - Throws: ``MigratedDatabase``
    static func requireNotMoved(_ db: any SQLConnection) throws {
        if let moved = try note(db).flatMap({ MigratedDatabase($0) }) { throw moved }
    }

    /// Notes that the database was moved, inside a write. The note replaces the folder's id, so that every version of
    /// the service refuses the database.
    /// - Parameter node: the node of the folder; `nil` if the folder never was a node.
    static func recordMigration(of node: FolderID?, at now: Timestamp, _ db: any SQLConnection) throws {
        let name = try db.statement("SELECT name FROM nodes WHERE id = ?").first(node?.description ?? "") { $0.text(0) }
        let folder = name.map { "the data folder of node \($0)" } ?? "a data folder"
        try set("\(MigratedDatabase.beginning)\(folder) on \(now.rfc3339)", db)
    }
}
