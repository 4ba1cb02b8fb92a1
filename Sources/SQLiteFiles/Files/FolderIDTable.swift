import GRDB
package import Identifiers
import SQL

/// The id of the data folder in each database file, by which a file of another folder is recognised.
package enum FolderIDTable {
    /// The tables are the same in both files.
    package static let schema = """
        -- The data folder that this file belongs to; at most one row.
        CREATE TABLE folder (id TEXT NOT NULL) STRICT;
        """

    /// - Returns: `nil` if no folder is noted.
    static func read(_ db: Database) throws -> FolderID? {
        let text = try db.statement("SELECT id FROM folder").first { $0.text(0) }
        guard let text else { return nil }
        guard let id = FolderID(text) else { throw StorageError.unreadable }
        return id
    }
}

extension DatabaseFile {
    /// Makes an empty file for a data folder, unless it exists. The file is on disk on return. Blocks the thread.
    package static func make(_ name: String, _ schema: Schema, in folder: String, id: FolderID) throws {
        let limits = DatabaseFile.Limits(checkpointPages: 1000, readers: 1, cacheKibibytes: 1024)
        let file = try DatabaseFile(path: "\(folder)/\(name)", schema: schema, limits: limits)
        try file.store(id)
        try file.close()
        try PrivateFile.syncFolder(folder)
    }

    /// The data folder that the file was made for; `nil` if none is noted. For use while the service starts: blocks the
    /// thread.
    package func folder() throws -> FolderID? {
        do {
            return try writer.read(FolderIDTable.read)
        } catch {
            throw health.recordFailure(StorageError.translating(error))
        }
    }

    /// Notes the folder, unless one is noted. On return it is on disk in the file itself, where ``DatabaseFileProbe``
    /// finds it, and not only in the write-ahead log. Blocks the thread.
    package func store(_ folder: FolderID) throws {
        do {
            guard try writer.read(FolderIDTable.read) == nil else { return }
            try writer.write { db in
                try db.statement("INSERT INTO folder (id) VALUES (?)").run(folder.description)
            }
            guard try writer.writeWithoutTransaction(truncateLog) else { throw StorageError.busy }
        } catch {
            throw health.recordFailure(StorageError.translating(error))
        }
    }
}
