import Console
import Foundation

/// The finished backups in a folder for backups.
enum KeptBackups {
    /// The newest first; none where the folder cannot be read.
    static func all(in folder: String) -> [Operations.KeptBackup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            NewestBackup.startedAt(name: name).map { startedAt in
                Operations.KeptBackup(name: name, startedAt: startedAt, bytes: size(of: "\(folder)/\(name)"))
            }
        }.sorted { $0.startedAt > $1.startedAt }
    }

    /// Of all files below `folder`.
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
