import Glibc

/// How many files and connections this process may have open at once.
enum FileDescriptors {
    /// For databases, the private listener, and whatever a library opens.
    private static let reserve = 256

    /// Takes all that the system allows.
    /// - Returns: how many connections the public listener may have of them, when it would like to have `wanted`.
    static func raise(forConnections wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return min(wanted, max(1, Int(clamping: limit.rlim_cur) - reserve))
    }
}
