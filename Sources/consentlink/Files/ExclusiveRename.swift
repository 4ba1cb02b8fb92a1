import Glibc

/// Gives a file its name without ever replacing another file.
enum ExclusiveRename {
    /// One way to do it.
    ///
    /// - Returns: 0, or the number of the system's error.
    typealias Way = @Sendable (_ path: String, _ name: String) -> CInt

    /// The error codes of a file system that has no hard links, like FAT.
    private static let unsupported: Set<CInt> = [EPERM, EOPNOTSUPP, ENOSYS]

    /// The best one first. After the first, the file also still has its former name.
    static let ways: [Way] = [linking, replacingOwn]

    /// - Returns: 0, or the number of the system's error: `EEXIST` if a file has the name already.
    static func run(_ path: String, _ name: String, by ways: [Way] = ways) -> CInt {
        var code: CInt = 0
        for way in ways {
            code = way(path, name)
            guard unsupported.contains(code) else { return code }
        }
        return code
    }

    private static func linking(_ path: String, _ name: String) -> CInt { link(path, name) == 0 ? 0 : errno }

    /// Makes an empty file of the name, which fails if there is one, and replaces that file.
    static func replacingOwn(_ path: String, _ name: String) -> CInt {
        let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return errno }
        close(descriptor)
        guard rename(path, name) == 0 else {
            let code = errno
            unlink(name)
            return code
        }
        return 0
    }
}
