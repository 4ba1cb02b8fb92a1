import LocalFiles
import SQLiteFiles
import SystemPackage

/// The log of a database that lost acknowledged commits to damage. SQLite itself takes the damage for the end of the
/// log, and cuts the log there.
struct DamagedLog: Equatable {
    /// The name of the database.
    let database: String
    /// How many acknowledged commits cannot be read, at least.
    let commits: Int

    var finding: FolderFinding { FolderFinding(DatabasePaths.log(of: database), .commitsLost(commits)) }

    /// The log of a database; `nil` if nothing is certainly lost. No process may write to it meanwhile. Blocks the
    /// thread as long as reading the log takes.
    init?(of database: String, in folder: String) throws(DataFolderError) {
        do throws(Errno) {
            guard let damage = try LogDamage.find(inLogOf: "\(folder)/\(database)") else { return nil }
            (self.database, commits) = (database, damage.commits)
        } catch {
            // A link is a finding of the inspection.
            guard error != .tooManySymbolicLinkLevels else { return nil }
            throw .reading(DatabasePaths.log(of: database), failedWith: error)
        }
    }

    /// The log of the spool. Must be called before a database is opened.
    ///
    /// - Throws: ``DataFolderError/unusable(_:)`` if it is the log of the main database: without a withdrawal that was
    ///   acknowledged, the service would track a person who objected.
    static func ofSpool(in folder: String, _ storage: StorageKind) throws(DataFolderError) -> DamagedLog? {
        if storage == .sqlite, let log = try DamagedLog(of: FolderDatabases.storageName, in: folder) {
            throw .unusable([log.finding])
        }
        return try DamagedLog(of: FolderDatabases.spoolName, in: folder)
    }
}
