import Identifiers
import Organizations
import SQL

/// The data folder that a database belongs to: its keys and its spool are of no use with another one.
enum FolderMark {
    /// Notes the folder in a database that has none yet, inside a write.
    /// - Throws: ``OtherFolder``
    static func check(_ folder: FolderID, _ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let noted else {
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
