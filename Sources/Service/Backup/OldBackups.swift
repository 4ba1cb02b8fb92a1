import Identifiers
import LocalFiles
import SystemPackage

/// Removes old backups of one data folder from a folder for backups.
package struct OldBackups {
    /// Why old backups stay.
    package enum Failure: Error, CustomStringConvertible {
        case cannotSee(String)
        case unreadable(UnreadableBackups)
        case cannotRemove(UnwritableBackup)

        package var description: String {
            switch self {
            case .cannotSee(let backup): "\(backup) is not a backup on this machine"
            case .unreadable(let reason): "\(reason)"
            case .cannotRemove(let failure): "\(failure.path) cannot be removed: \(failure.reason)"
            }
        }
    }

    private let folder: String
    private let data: FolderID

    /// - Parameter newest: a backup of the data folder, in the folder for backups.
    package init(beside newest: String) throws(Failure) {
        guard let slash = newest.lastIndex(of: "/"), let manifest = FolderManifest.seen(in: newest) else {
            throw .cannotSee(newest)
        }
        folder = String(newest[..<slash])
        data = manifest.folder
    }

    /// Removes backups that are older than `days` by their names, except the `count` newest. Backups of other data
    /// folders stay.
    ///
    /// - Returns: the removed folders, newest first.
    package func remove(olderThan days: Int, butNewest count: Int) throws(Failure) -> [String] {
        try remove(olderThan: days, butNewest: count, now: .now)
    }

    /// - Parameter now: the time of the system's clock.
    func remove(olderThan days: Int, butNewest count: Int, now: Timestamp) throws(Failure) -> [String] {
        let own: [FinishedBackup]
        do throws(UnreadableBackups) {
            own = try FinishedBackup.all(in: folder).filter { backup in
                FileStatus(backup.path)?.type == .directory && FolderManifest.seen(in: backup.path)?.folder == data
            }
        } catch {
            throw .unreadable(error)
        }
        let old = own.dropFirst(count).filter { $0.startedAt < now.advanced(byDays: -days) }
        for backup in old {
            do throws(UnwritableBackup) {
                try UnfinishedBackup.remove(backup, of: data, in: folder)
            } catch {
                throw .cannotRemove(error)
            }
        }
        return old.map(\.path)
    }
}
