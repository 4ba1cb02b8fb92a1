import SystemPackage

/// A file or folder of a backup that cannot be written, read, made or removed. It names the path, so it is only for the
/// log.
package struct UnwritableBackup: Error {
    let path: String
    /// The system's reason.
    let reason: String
    /// Whether the path has a backup's name although the backup failed.
    let isLeft: Bool

    init(_ path: String, code: CInt, isLeft: Bool = false) {
        self.path = path
        self.isLeft = isLeft
        reason = Errno(rawValue: code).description
    }

    init(_ path: String, reason: String) {
        self.path = path
        self.reason = reason
        isLeft = false
    }

    init(_ path: String, _ error: any Error) {
        self.path = path
        isLeft = false
        reason = error.systemError?.description ?? "\(error)"
    }
}
