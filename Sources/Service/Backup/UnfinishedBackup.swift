import Foundation
import Glibc
import Identifiers
import LocalFiles
import SystemPackage
import UseCases

/// A backup in progress: a folder that gets a backup's name only when all of it is on disk.
///
/// Its name is `.unfinished-OWNER-NAME`: several services may have one folder for backups.
struct UnfinishedBackup {
    private static let prefix = ".unfinished-"
    /// No backup takes longer than this.
    private static let maximumMakingDuration = Duration.hours(24)

    let path: String
    private let folder: String
    private let destination: String

    /// Makes the folder for backups if it is missing, and a new folder in it that only its owner can read. Removes
    /// unfinished backups as ``removeAbandoned(by:now:in:)`` does.
    ///
    /// - Parameters:
    ///   - owner: the id that only this service has.
    ///   - data: the id of the data folder.
    init(startedAt: Timestamp, owner: FolderID, of data: FolderID, in folder: String) throws(UnwritableBackup) {
        let name = NewestBackup.name(startedAt: startedAt)
        self.folder = folder
        destination = "\(folder)/\(name)"
        path = "\(folder)/\(Self.prefix)\(owner)-\(name)"
        do {
            let files = FileManager.default
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Self.removeAbandoned(by: [owner, data], now: startedAt, in: folder)
            try files.createDirectory(
                atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw UnwritableBackup(folder, error)
        }
    }

    /// Removes unfinished backups that killed processes of `owners` left, and those that name no owner, as earlier
    /// versions left them, and are a day old. They may contain recipients who were erased since.
    ///
    /// - Parameter owners: the id that only this service has, and the id of the data folder. The removal of an old
    ///   backup knows only the latter, which differs on a node, and so does a service whose storage was moved since.
    static func removeAbandoned(by owners: Set<FolderID>, now: Timestamp, in folder: String) throws {
        let files = FileManager.default
        for left in try files.contentsOfDirectory(atPath: folder) where isAbandoned(left, owners: owners, now: now) {
            try files.removeItem(atPath: "\(folder)/\(left)")
        }
    }

    /// The names of the unfinished backups in a folder, of any service, that no process works on any more.
    static func old(in folder: String, now: Timestamp) throws(UnreadableBackups) -> [String] {
        let names = try UnreadableBackups.names(in: folder)
        return names.filter { name in
            guard name.hasPrefix(prefix) else { return false }
            // The name of the backup is at the end; before it is at most an owner.
            let begun = NewestBackup.startedAt(name: String(name.suffix(NewestBackup.nameLength)))
            return begun.map { $0.advanced(by: maximumMakingDuration) < now } ?? false
        }.sorted()
    }

    private static func isAbandoned(_ left: String, owners: Set<FolderID>, now: Timestamp) -> Bool {
        guard left.hasPrefix(prefix) else { return false }
        let rest = left.dropFirst(prefix.count)
        if owners.contains(where: { rest.hasPrefix("\($0)-") }) { return true }
        return NewestBackup.startedAt(name: String(rest)).map { $0.advanced(by: maximumMakingDuration) < now } ?? false
    }

    /// Gives the folder its name. Durable on return. If it throws, the folder does not have that name, unless the error
    /// says so: nothing that failed is taken for a backup.
    ///
    /// - Parameter sync: makes the names in a folder durable.
    /// - Returns: where the backup is.
    func finish(
        sync: (String) throws(UnwritableBackup) -> Void = UnfinishedBackup.sync
    ) throws(UnwritableBackup) -> String {
        try sync(path)
        guard rename(path, destination) == 0 else { throw UnwritableBackup(destination, code: errno) }
        do throws(UnwritableBackup) { try sync(folder) } catch {
            try takeBack()
            throw error
        }
        return destination
    }

    /// Removes the backup after ``finish()``, as ``remove(_:of:in:sync:)`` does.
    func takeBack() throws(UnwritableBackup) {
        guard rename(destination, path) == 0 else {
            throw UnwritableBackup(destination, code: errno, isLeft: true)
        }
        try Self.removeRenamed(path, in: folder, sync: Self.sync)
    }

    /// Removes a backup that was finished. It is unfinished again first, so that no half of one has a backup's name,
    /// also if the power fails. Durable on return.
    ///
    /// - Parameters:
    ///   - data: the id of the data folder. What a killed process leaves is removed by the services of that folder.
    ///   - sync: makes the names in a folder durable.
    static func remove(
        _ backup: FinishedBackup, of data: FolderID, in folder: String,
        sync: (String) throws(UnwritableBackup) -> Void = UnfinishedBackup.sync
    ) throws(UnwritableBackup) {
        let path = "\(folder)/\(prefix)\(data)-\(backup.name)"
        guard rename(backup.path, path) == 0 else { throw UnwritableBackup(backup.path, code: errno) }
        try removeRenamed(path, in: folder, sync: sync)
    }

    private static func removeRenamed(
        _ path: String, in folder: String, sync: (String) throws(UnwritableBackup) -> Void
    ) throws(UnwritableBackup) {
        // Otherwise, the files could be gone and the name could be back after a power failure.
        try sync(folder)
        do { try FileManager.default.removeItem(atPath: path) } catch { throw UnwritableBackup(path, error) }
        try sync(folder)
    }

    func discard() { try? FileManager.default.removeItem(atPath: path) }

    /// The files in it, with their sizes in bytes.
    func files() throws(UnwritableBackup) -> [Backup.File] {
        do {
            return try FileManager.default.subpathsOfDirectory(atPath: path).sorted().compactMap { name in
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return Backup.File(name: name, bytes: (attributes[.size] as? NSNumber)?.int64Value ?? 0)
            }
        } catch {
            throw UnwritableBackup(path, error)
        }
    }

    static func sync(_ folder: String) throws(UnwritableBackup) {
        do throws(Errno) { try FolderSync.run(folder) } catch {
            throw UnwritableBackup(folder, code: error.rawValue)
        }
    }
}
