import LocalFiles
import SystemPackage

extension FileStatus {
    /// Why the file may have been written or read by another user than the one the service runs as.
    func faults(expecting expected: FileType, owner expectedOwner: UInt32) -> [FolderFinding.Fault] {
        guard type == expected else {
            if type == .symbolicLink { return [.symbolicLink] }
            return [expected == .directory ? .notAFolder : .notAFile]
        }
        var faults: [FolderFinding.Fault] = []
        if owner != expectedOwner { faults.append(.otherOwner(owner, expected: expectedOwner)) }
        if mode & 0o077 != 0 { faults.append(.open(mode)) }
        if type == .regular, links > 1 { faults.append(.hardLink) }
        return faults
    }
}
