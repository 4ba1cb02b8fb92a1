import LocalFiles
import UseCases

/// The room that a backup needs on the disk of the folder for backups.
struct BackupRoom: Sendable {
    let dataFolder: String
    let backups: String
    let floor: DiskFloor

    /// Checks before anything is copied: a backup that fills the disk of the data folder stops the service.
    /// - Parameter databases: the files that are copied.
    /// - Throws: ``BackupError/noRoom(needed:free:)``
    func require(_ databases: [String]) throws(BackupError) {
        guard let space = DiskSpace(ofFolder: backups) else { return }
        let sizes = databases.map { UInt64(max(0, FileStatus("\(dataFolder)/\($0)")?.size ?? 0)) }
        let needed = sizes.reduce(0, +) + (isOneDisk ? floor.bytes(of: space) : 0)
        guard space.free >= needed else { throw .noRoom(needed: needed, free: space.free) }
    }

    private var isOneDisk: Bool {
        let devices = [dataFolder, backups].map { FileStatus(following: $0)?.identity.device }
        return devices[0] != nil && devices[0] == devices[1]
    }
}
