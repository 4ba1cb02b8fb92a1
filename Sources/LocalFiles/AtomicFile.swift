import Glibc
package import SystemPackage

/// Replaces a file whole: at any moment, and after a crash, it has the old or the new content.
package enum AtomicFile {
    private static let unfinishedEnding = ".new"

    /// The path at which the file is written before it replaces the one at `path`.
    package static func unfinished(_ path: String) -> String { path + unfinishedEnding }

    /// Durable on return. Only its owner may read the file. If it throws, the old file is unchanged, unless only the
    /// sync of the folder failed.
    ///
    /// - Parameter mayReplace: whether the unfinished file of a killed process, at this path, may be removed.
    /// - Throws: the system's error; `fileExists` if something is in the place of the unfinished file and stays there.
    package static func write(
        _ bytes: [UInt8], to path: String, mayReplace: (_ unfinished: String) -> Bool = { _ in true }
    ) throws(Errno) {
        let unfinished = unfinished(path)
        let descriptor = try make(unfinished, mayReplace)
        do throws(Errno) {
            try fill(descriptor, bytes)
            guard rename(unfinished, path) == 0 else { throw .last }
        } catch {
            unlink(unfinished)
            throw error
        }
        try FolderSync.run(ofFile: path)
    }

    /// Makes a new file. A link is not followed.
    private static func make(_ path: String, _ mayReplace: (String) -> Bool) throws(Errno) -> CInt {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let first = open(path, flags, 0o600)
        if first >= 0 { return first }
        guard errno == EEXIST else { throw .last }
        guard mayReplace(path), unlink(path) == 0 else { throw .fileExists }
        let second = open(path, flags, 0o600)
        guard second >= 0 else { throw .last }
        return second
    }

    /// Writes the content of a file, syncs and closes it.
    private static func fill(_ descriptor: CInt, _ bytes: [UInt8]) throws(Errno) {
        defer { close(descriptor) }
        try FileDescriptor(rawValue: descriptor).writeWhole(bytes)
        guard fsync(descriptor) == 0 else { throw .last }
    }
}
