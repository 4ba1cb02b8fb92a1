import LocalFiles
import SystemPackage

/// Lets one process at a time move the database of a folder.
struct MigrationLock {
    private let lock: LockedFile

    /// - Throws: ``StorageMigrationError/underWay`` while another process moves it, ``DataFolderError``.
    init(in folder: String) throws {
        do throws(LockedFile.Failure) {
            lock = try LockedFile("\(folder)/\(FolderFile.migrationLock)")
        } catch {
            switch error {
            case .cannotOpen(.noSuchFileOrDirectory): throw DataFolderError.notThere
            case .cannotOpen(let reason):
                throw DataFolderError.writing(FolderFile.migrationLock, failedWith: reason)
            case .inUse: throw StorageMigrationError.underWay
            case .cannotLock(let reason): throw DataFolderError.cannotLock("\(reason)")
            }
        }
    }

    /// Keeps the lock until here.
    func release() { withExtendedLifetime(lock) {} }
}
