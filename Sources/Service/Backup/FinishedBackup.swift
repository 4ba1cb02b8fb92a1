import Identifiers
import LocalFiles
import SystemPackage

/// A folder under a backup's name in a folder for backups.
struct FinishedBackup {
    let name: String
    let path: String
    /// The time in its name.
    let startedAt: Timestamp

    /// All, newest first; empty if there is no such folder.
    static func all(in folder: String) throws(UnreadableBackups) -> [FinishedBackup] {
        let names = try UnreadableBackups.names(in: folder)
        return names.compactMap { name in
            NewestBackup.startedAt(name: name).map { startedAt in
                FinishedBackup(name: name, path: "\(folder)/\(name)", startedAt: startedAt)
            }
        }.sorted { $0.startedAt > $1.startedAt }
    }

    /// Whether it is a backup of a data folder, with every file that its manifest names. It opens none of the files.
    ///
    /// - Parameter folder: `nil` for any folder.
    func isComplete(of folder: FolderID?) -> Bool {
        guard let manifest = FolderManifest.seen(in: path), folder.map({ $0 == manifest.folder }) ?? true else {
            return false
        }
        return manifest.files.allSatisfy { file in
            FileStatus("\(path)/\(file)").map { $0.type == .regular && $0.size > 0 } ?? false
        }
    }

    /// Whether it was begun later than now: the clock was ahead then, or is behind now.
    func isOfFuture(at now: Timestamp) -> Bool { startedAt > now.advanced(by: Self.clockTolerance) }

    /// The system's clock may have been set back by this since the backup was begun.
    private static let clockTolerance = Duration.seconds(5)
}
