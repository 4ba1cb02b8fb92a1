import GRDB
package import Identifiers
import SQL
import SQLiteFiles

extension SQLiteClickSpool {
    /// Makes an empty spool for a data folder, unless it exists. The file is on disk on return. Blocks the thread.
    package static func make(folder: String, id: FolderID) throws {
        try DatabaseFile.make(fileName, .spool, in: folder, id: id)
    }

    /// Makes an empty spool under another name of the folder, where nothing may be. The file alone is all of it, and on
    /// disk, on return. Blocks the thread.
    package static func make(_ name: String, folder: String, id: FolderID) throws {
        try DatabaseFile.make(name, .spool, in: folder, id: id)
    }

    /// Completes a spool whose making was interrupted: it has no rows and names no folder. On disk on return. Blocks the
    /// thread.
    /// - Returns: whether it is one; any other keeps its content.
    package static func complete(folder: String, id: FolderID) throws -> Bool {
        let limits = DatabaseFile.Limits(checkpointPages: 1000, readers: 1, cacheKibibytes: 1024)
        let file = try DatabaseFile(path: "\(folder)/\(fileName)", schema: .spool, limits: limits)
        let isUnfinished = try file.folder() == nil && isEmpty(file)
        if isUnfinished { try file.store(id) }
        try file.close()
        return isUnfinished
    }

    private static func isEmpty(_ file: DatabaseFile) throws -> Bool {
        do {
            return try file.writer.read { db in
                try db.statement("SELECT EXISTS (SELECT 1 FROM batches) + EXISTS (SELECT 1 FROM parked)")
                    .first { $0.integer(0) } == 0
            }
        } catch {
            throw StorageError.translating(error)
        }
    }

    /// The data folder that the file was made for; `nil` if it has none noted. Blocks the thread.
    package func folder() throws -> FolderID? { try file.folder() }

    /// Notes the folder in the file, unless it has one noted. On disk on return. Blocks the thread.
    package func store(_ folder: FolderID) throws { try file.store(folder) }
}
