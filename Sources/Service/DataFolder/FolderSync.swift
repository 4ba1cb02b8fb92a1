import Glibc

/// Makes the names of a folder's files durable: a new or renamed file is durable once its folder is.
package enum FolderSync {
    /// - Returns: 0, or the error code.
    package static func run(_ folder: String) -> CInt {
        let descriptor = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return fsync(descriptor) == 0 ? 0 : errno
    }
}
