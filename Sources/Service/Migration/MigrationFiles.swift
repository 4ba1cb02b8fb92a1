import Foundation
import Glibc
import LocalFiles
import SQLiteFiles

/// The files that a move into a data folder makes there.
struct MigrationFiles: Sendable {
    /// The folder of the copy, until it is whole.
    static let copyName = "moving"

    let folder: String

    var copy: String { "\(folder)/\(Self.copyName)" }

    /// Removes what was copied. On disk on return.
    /// - Throws: ``DataFolderError/cannotWrite(_:because:)``: names that no erasure reaches may be left.
    func removeCopy() throws(DataFolderError) {
        guard FileStatus(copy) != nil else { return }
        do { try FileManager.default.removeItem(atPath: copy) } catch {
            throw .cannotWrite(Self.copyName, because: "it cannot be removed whole")
        }
        try FolderSync.run(folder, naming: Self.copyName)
    }

    /// Removes the file of the main database. Must be called only if the database on a server counts. On disk on return.
    func removeDatabase() throws(DataFolderError) {
        let file = "\(folder)/\(FolderDatabases.storageName)"
        let there = ([file] + DatabasePaths.logFiles(of: file)).filter { FileStatus($0) != nil }
        guard !there.isEmpty else { return }
        // A file without its log could be taken for the whole database.
        for path in there where unlink(path) != 0 && errno != ENOENT {
            throw .writing(FolderDatabases.storageName, failedWith: .last)
        }
        try FolderSync.run(folder, naming: FolderDatabases.storageName)
    }

    /// Puts the whole copy in its place; a file there was left by an earlier move. On disk on return.
    func moveIntoPlace() throws(DataFolderError) {
        let name = FolderDatabases.storageName
        try FolderDatabases.put("\(copy)/\(name)", as: name, in: folder)
        // A part that is left has no names, and the next start removes it.
        try? removeCopy()
    }
}
