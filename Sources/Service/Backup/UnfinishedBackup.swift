import Foundation
import Glibc
import UseCases

/// A backup on its way: a folder that is given a backup's name when all of it is on disk, and not before.
struct UnfinishedBackup {
    private static let prefix = ".unfinished-"

    let path: String
    private let folder: String
    private let name: String

    /// Makes the folder for backups where there is none, and a new one in it that only its owner can read. What a
    /// process that was killed has left there unfinished is removed.
    init(named name: String, in folder: String) throws(BackupError) {
        self.folder = folder
        self.name = name
        path = "\(folder)/\(Self.prefix)\(name)"
        do {
            let files = FileManager.default
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for left in try files.contentsOfDirectory(atPath: folder) where left.hasPrefix(Self.prefix) {
                try files.removeItem(atPath: "\(folder)/\(left)")
            }
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotWrite
        }
    }

    /// Gives the folder its name. Durable on return.
    ///
    /// - Returns: where the backup is.
    func finish() throws(BackupError) -> String {
        let destination = "\(folder)/\(name)"
        guard Self.sync(path), rename(path, destination) == 0, Self.sync(folder) else { throw .cannotWrite }
        return destination
    }

    func discard() { try? FileManager.default.removeItem(atPath: path) }

    /// The files in it, with their sizes in bytes.
    func files() throws(BackupError) -> [Backup.File] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return Backup.File(name: name, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0)
            }
        } catch {
            throw .cannotWrite
        }
    }

    private static func sync(_ folder: String) -> Bool {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }
}
