import GRDB
package import Identifiers
import SQLiteFiles
import StoragePorts

extension SQLiteStorage {
    /// Makes an empty file for a data folder, unless it exists. The file is on disk on return. Blocks the thread.
    package static func make(folder: String, id: FolderID) throws {
        try DatabaseFile.make(fileName, .main, in: folder, id: id)
    }

    /// The data folder that the file was made for; `nil` if it has none noted. Blocks the thread.
    package func folder() throws -> FolderID? { try database.file.folder() }

    /// Notes the folder in the file, unless it has one noted. On disk on return. Blocks the thread.
    package func store(_ folder: FolderID) throws { try database.file.store(folder) }
}

extension SQLiteStorage: BackupSource {
    /// A restored copy must not bring back a session that was ended, or a link that was used.
    private static let emptiedInCopies = ["sessions", "sign_in_links"]

    package var erasures: Int { database.file.erasures.count }

    package func copy(into folder: String, checkCancellation: @escaping @Sendable () throws -> Void) async throws {
        try await database.file.copy(
            to: "\(folder)/\(Self.fileName)", emptying: Self.emptiedInCopies, checkCancellation: checkCancellation)
    }
}
