import Glibc
import LocalFiles
package import SQL
import SystemPackage

/// A file that only its owner may read and write.
package enum PrivateFile {
    static let mode: mode_t = 0o600

    /// Makes an empty file, unless it exists. SQLite gives its companion files the same mode.
    package static func create(at path: String) throws(StorageError) {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0, close(descriptor) == 0 else { throw .ofLastCall }
    }

    /// Removes the content of a file, if there is one.
    package static func empty(at path: String) throws(StorageError) {
        guard truncate(path, 0) == 0 || errno == ENOENT else { throw .ofLastCall }
    }

    /// Makes the names of the files in a folder durable.
    package static func syncFolder(_ path: String) throws(StorageError) {
        do throws(Errno) {
            try FolderSync.run(path)
        } catch { throw .cannotCreateFile(reason: "\(error)") }
    }
}

extension StorageError {
    /// Why the last system call of this thread failed, which was to make or to open a file.
    package static var ofLastCall: StorageError { .cannotCreateFile(reason: "\(Errno.last)") }
}
