import Identifiers
import Organizations
import SQL

/// The data folder that a database belongs to: its keys and its spool are of no use with another one.
enum FolderMark {
    /// Notes the folder in a database that has none yet, inside a write.
    /// - Parameter isNew: whether nothing was ever stored for the folder.
    /// - Throws: ``OtherFolder``; ``MovedDatabase``; ``EmptiedDatabase`` when none is noted for a folder that is not new.
    static func check(_ folder: FolderID, isNew: Bool, _ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let noted else {
            guard isNew else { throw EmptiedDatabase() }
            return try db.statement("INSERT INTO folder (id) VALUES (?)").run(folder.description)
        }
        if let moved = MovedDatabase(noted) { throw moved }
        guard noted == folder.description else { throw OtherFolder() }
    }

    /// - Throws: ``MovedDatabase``
    static func requireNotMoved(_ db: any SQLConnection) throws {
        let noted = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        if let moved = noted.flatMap({ MovedDatabase($0) }) { throw moved }
    }

    /// Notes that the database was moved, inside a write. The note takes the place of the folder's id, so that every version
    /// refuses the database.
    /// - Parameter node: of the folder; `nil` for one that never was a node.
    static func noteMove(of node: FolderID?, at now: Timestamp, _ db: any SQLConnection) throws {
        let name = try db.statement("SELECT name FROM nodes WHERE id = ?").first(node?.description ?? "") { $0.text(0) }
        let folder = name.map { "the data folder of node \($0)" } ?? "a data folder"
        try db.statement("UPDATE folder SET id = ?").run("\(MovedDatabase.beginning)\(folder) on \(now.rfc3339)")
    }
}

/// The database was moved into a data folder, and is not used any more.
package struct MovedDatabase: StoreFailure, Hashable {
    fileprivate static let beginning = "moved to "

    private let note: String

    /// - Returns: `nil` for what is no such note.
    fileprivate init?(_ note: String) {
        guard note.hasPrefix(Self.beginning) else { return nil }
        self.note = note
    }

    package var description: String { "the database was \(note)" }
    package var isTransient: Bool { false }
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
