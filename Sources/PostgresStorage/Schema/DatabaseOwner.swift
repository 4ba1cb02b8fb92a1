import Identifiers
import SQL
import StoragePorts

/// The data folder that a database belongs to: the keys and the spool of a folder cannot be used with another database.
enum DatabaseOwner {
    /// Notes the folder in a database that has no such note yet, inside a write.
    /// - Parameter isNew: whether nothing was ever stored for the folder.
    /// - Throws: ``OtherFolder``; ``MigratedDatabase``; ``EmptiedDatabase`` if the folder is not new and the database
    ///   has no note.
    static func check(_ folder: FolderID, isNew: Bool, _ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let noted else {
            guard isNew else { throw EmptiedDatabase() }
            return try db.statement("INSERT INTO folder (id) VALUES (?)").run(folder.description)
        }
        if let moved = MigratedDatabase(noted) { throw moved }
        guard noted == folder.description else { throw OtherFolder() }
    }

    /// - Throws: ``MigratedDatabase``
    static func requireNotMoved(_ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        if let moved = noted.flatMap({ MigratedDatabase($0) }) { throw moved }
    }

    /// Notes that the database was moved, inside a write. The note replaces the folder's id, so that every version of
    /// the service refuses the database.
    /// - Parameter node: the node of the folder; `nil` if the folder never was a node.
    static func recordMigration(of node: FolderID?, at now: Timestamp, _ db: any SQLConnection) throws {
        let name = try db.statement("SELECT name FROM nodes WHERE id = ?").first(node?.description ?? "") { $0.text(0) }
        let folder = name.map { "the data folder of node \($0)" } ?? "a data folder"
        try db.statement("UPDATE folder SET id = ?").run("\(MigratedDatabase.beginning)\(folder) on \(now.rfc3339)")
    }
}
