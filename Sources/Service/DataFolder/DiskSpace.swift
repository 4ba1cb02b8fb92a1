import Glibc

/// The room on the disk that a folder lies on, in bytes.
struct DiskSpace: Hashable, Sendable {
    /// What a process without privileges can still write.
    let free: UInt64
    /// The size of the file system.
    let total: UInt64
    let isReadOnly: Bool

    /// - Parameter path: a folder. Where it is not there yet, the nearest folder above it that is counts.
    /// - Returns: nil when the file system does not say.
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
