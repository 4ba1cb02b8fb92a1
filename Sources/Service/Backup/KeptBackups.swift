import Console
import Foundation
import Identifiers

/// The complete backups of a data folder in a folder for backups.
enum KeptBackups {
    /// All, newest first; empty if there is no such folder.
    static func all(in folder: String, of data: FolderID) throws(UnreadableBackups) -> [Operations.KeptBackup] {
        let backups = try FinishedBackup.all(in: folder)
        return backups.filter { $0.isComplete(of: data) }.map { backup in
            Operations.KeptBackup(name: backup.name, startedAt: backup.startedAt, bytes: size(of: backup.path))
        }
    }

    /// The size of all files below `folder`.
    private static func size(of folder: String) -> Int64 {
        guard let files = FileManager.default.enumerator(atPath: folder) else { return 0 }
        var bytes: Int64 = 0
        while files.nextObject() != nil {
            guard let attributes = files.fileAttributes, attributes[.type] as? FileAttributeType == .typeRegular else {
                continue
            }
            bytes += (attributes[.size] as? NSNumber)?.int64Value ?? 0
        }
        return bytes
    }
}
