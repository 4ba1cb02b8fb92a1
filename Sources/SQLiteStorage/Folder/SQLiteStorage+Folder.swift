package import Identifiers

extension SQLiteStorage {
    /// Makes both files, empty, for a data folder. What is there already is kept. On disk on return. Blocks the thread.
    package static func make(folder: String, id: FolderID) throws {
        try make(mainFileName, .main, folder, id)
        try makeSpool(folder: folder, id: id)
    }

    /// Makes an empty spool for a data folder. On disk on return. Blocks the thread.
    package static func makeSpool(folder: String, id: FolderID) throws {
        try make(spoolFileName, .spool, folder, id)
    }

    private static func make(_ name: String, _ schema: Schema, _ folder: String, _ id: FolderID) throws {
        let limits = DatabaseFile.Limits(checkpointPages: 1000, readers: 1, cacheKibibytes: 1024)
        let file = try DatabaseFile(path: "\(folder)/\(name)", schema: schema, limits: limits)
        try file.note(id)
        try file.close()
        try PrivateFile.syncFolder(folder)
    }

    /// The data folders that the files were made for; `nil` for a file in which none is noted. Blocks the thread.
    package func folders() throws -> (main: FolderID?, spool: FolderID?) {
        (try database.file.folder(), try spool.file.folder())
    }

    /// The ids of all organizations, those whose other settings cannot be read included. Blocks the thread.
    package func organizationNames() throws -> Set<String> {
        try database.readNow { db in
            Set(try db.statement("SELECT id FROM organizations").all { $0.text(0) })
        }
    }

    /// Notes the folder in the files in which none is noted. On disk on return. Blocks the thread.
    package func note(_ folder: FolderID) throws {
        try database.file.note(folder)
        try spool.file.note(folder)
    }
}
