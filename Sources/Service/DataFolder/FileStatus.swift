import Glibc

/// What the kernel says of a file, without following a link.
struct FileStatus {
    enum Kind {
        case file
        case folder
        case symbolicLink
        case other
    }

    let kind: Kind
    let owner: UInt32
    /// The twelve permission bits.
    let mode: UInt32
    let links: Int
    let size: Int64
    let inode: UInt64

    /// - Returns: `nil` where there is no such file.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Follows a link: a data folder itself may be reached by one.
    init?(following path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(descriptor: CInt) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .symbolicLink
            default: .other
            }
        owner = status.st_uid
        mode = status.st_mode & 0o7777
        links = Int(status.st_nlink)
        size = Int64(status.st_size)
        inode = UInt64(status.st_ino)
    }

    /// Why the file may have been written or read by another user than the one the service runs as.
    func faults(expecting expected: Kind, owner expectedOwner: UInt32) -> [FolderFinding.Fault] {
        guard kind == expected else {
            if kind == .symbolicLink { return [.symbolicLink] }
            return [expected == .folder ? .notAFolder : .notAFile]
        }
        var faults: [FolderFinding.Fault] = []
        if owner != expectedOwner { faults.append(.otherOwner(owner, expected: expectedOwner)) }
        if mode & 0o077 != 0 { faults.append(.open(mode)) }
        if kind == .file, links > 1 { faults.append(.hardLink) }
        return faults
    }
}
