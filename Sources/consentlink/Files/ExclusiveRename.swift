import Glibc

/// Gives a file its name, and never takes the place of another one.
enum ExclusiveRename {
    /// One way to do it.
    ///
    /// - Returns: 0, or the number of the system's error.
    typealias Way = @Sendable (_ path: String, _ name: String) -> CInt

    /// With what a file system says that it has no hard links, as FAT does.
    private static let unsupported: Set<CInt> = [EPERM, EOPNOTSUPP, ENOSYS]

    /// The best first. After the first, the file has its former name, too.
    static let ways: [Way] = [linking, replacingOwn]

    /// - Returns: 0, or the number of the system's error: `EEXIST` where something has the name.
    static func run(_ path: String, _ name: String, by ways: [Way] = ways) -> CInt {
        var code: CInt = 0
        for way in ways {
            code = way(path, name)
            guard unsupported.contains(code) else { return code }
        }
        return code
    }

    private static func linking(_ path: String, _ name: String) -> CInt { link(path, name) == 0 ? 0 : errno }

    /// Makes an empty file of the name, which fails where there is one, and replaces that.
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
