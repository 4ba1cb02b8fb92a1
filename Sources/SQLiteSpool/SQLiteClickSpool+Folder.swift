package import Identifiers
import SQLiteFiles

extension SQLiteClickSpool {
    /// Makes an empty spool for a data folder, unless it exists. The file is on disk on return. Blocks the thread.
    package static func make(folder: String, id: FolderID) throws {
        try DatabaseFile.make(fileName, .spool, in: folder, id: id)
    }

    /// The data folder that the file was made for; `nil` if it has none noted. Blocks the thread.
    package func folder() throws -> FolderID? { try file.folder() }

    /// Notes the folder in the file, unless it has one noted. On disk on return. Blocks the thread.
    package func store(_ folder: FolderID) throws { try file.store(folder) }
}
