import SystemPackage

/// A file or folder of a backup that cannot be written, made or removed. It names the path, so it is for the log alone.
package struct UnwritableBackup: Error {
    let path: String
    /// The system's reason.
    let reason: String

    init(_ path: String, code: CInt) {
        self.path = path
        reason = Errno(rawValue: code).description
    }

    init(_ path: String, _ error: any Error) {
        self.path = path
        reason = error.systemError?.description ?? "\(error)"
    }
}
