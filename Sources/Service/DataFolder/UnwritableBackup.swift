import Glibc

/// A file or folder of a backup that cannot be written, made or removed. It names the path, so it is for the log alone.
package struct UnwritableBackup: Error {
    let path: String
    /// The system's reason.
    let reason: String

    init(_ path: String, code: CInt) {
        self.path = path
        reason = String(cString: strerror(code))
    }

    init(_ path: String, _ error: any Error) {
        self.path = path
        reason = error.systemCode.map { String(cString: strerror($0)) } ?? "\(error)"
    }
}
