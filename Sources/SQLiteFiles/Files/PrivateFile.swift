import Glibc
package import SQL

/// A file that only its owner may read and write.
package enum PrivateFile {
    static let mode: mode_t = 0o600

    /// Makes an empty file, unless it exists. SQLite gives its companion files the same mode.
    package static func create(at path: String) throws(StorageError) {
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw .cannotCreateFile }
        guard close(descriptor) == 0 else { throw .cannotCreateFile }
    }

    /// Makes the names of the files in a folder durable.
    package static func syncFolder(_ path: String) throws(StorageError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreateFile }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .cannotCreateFile }
    }
}
