import LocalFiles
import SystemPackage

extension FileStatus {
    /// Why the file may have been written or read by another user than the one the service runs as, or why that user
    /// cannot use it.
    ///
    /// - Parameter isWritten: whether the service writes into the file. It only reads other files, or replaces them.
    func faults(
        expecting expected: FileType, owner expectedOwner: UInt32, isWritten: Bool = false
    ) -> [FolderFinding.Fault] {
        guard type == expected else {
            if type == .symbolicLink { return [.symbolicLink] }
            return [expected == .directory ? .notAFolder : .notAFile]
        }
        var faults: [FolderFinding.Fault] = []
        if owner != expectedOwner { faults.append(.otherOwner(owner, expected: expectedOwner)) }
        if mode & 0o077 != 0 { faults.append(.open(mode)) }
        let needed: UInt32 = type == .directory ? 0o700 : isWritten ? 0o600 : 0
        // Permissions do not limit root.
        if owner == expectedOwner, owner != 0, mode & needed != needed { faults.append(.closedToOwner(mode)) }
        if type == .regular, links > 1 { faults.append(.hardLink) }
        return faults
    }
}
