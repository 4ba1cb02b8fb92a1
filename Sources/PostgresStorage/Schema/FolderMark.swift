import Identifiers
import Organizations
import SQL

/// The data folder that a database belongs to: its keys and its spool are of no use with another one.
enum FolderMark {
    /// Notes the folder in a database that has none yet, inside a write.
    /// - Parameter isNew: whether nothing was ever stored for the folder.
    /// - Throws: ``OtherFolder``; ``EmptiedDatabase`` when none is noted for a folder that is not new.
    static func check(_ folder: FolderID, isNew: Bool, _ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let noted else {
            guard isNew else { throw EmptiedDatabase() }
            return try db.statement("INSERT INTO folder (id) VALUES (?)").run(folder.description)
        }
        guard noted == folder.description else { throw OtherFolder() }
    }
}

/// The database belongs to another data folder.
package struct OtherFolder: StoreFailure, Hashable {
    package init() {}
    package var description: String { "the database belongs to another data folder" }
    package var isTransient: Bool { true }
}

/// Something was stored for the data folder before, and the database has nothing of it.
package struct EmptiedDatabase: StoreFailure, Hashable {
    package init() {}
    package var description: String { "the database is empty, and the data folder is not new" }
    package var isTransient: Bool { true }
}
