import Glibc

/// The space on the disk of a folder, in bytes.
struct DiskSpace: Hashable, Sendable {
    /// The space that a process without privileges can still use.
    let free: UInt64
    /// The size of the file system.
    let total: UInt64
    let isReadOnly: Bool

    /// - Parameter path: a folder. If it does not exist yet, the nearest existing folder above it counts.
    /// - Returns: nil if the file system does not tell.
    init?(ofFolder path: String) {
        var status = statvfs()
        var existing = path.hasPrefix("/") ? path : "./\(path)"
        while statvfs(existing, &status) != 0 {
            guard errno == ENOENT, let slash = existing.lastIndex(of: "/"), existing != "/" else { return nil }
            existing = slash == existing.startIndex ? "/" : String(existing[..<slash])
        }
        free = UInt64(status.f_bavail) * UInt64(status.f_frsize)
        total = UInt64(status.f_blocks) * UInt64(status.f_frsize)
        isReadOnly = status.f_flag & UInt(ST_RDONLY) != 0
    }
}
