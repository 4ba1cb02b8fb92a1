import Glibc
package import SystemPackage

/// Makes the names of a folder's files durable: a new or renamed file is durable once its folder is.
package enum FolderSync {
    package static func run(_ folder: String) throws(Errno) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Syncs the folder that the file is in.
    package static func run(ofFile path: String) throws(Errno) { try run(folder(of: path)) }

    /// - Returns: the present folder for a path that is only a name.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }
}
