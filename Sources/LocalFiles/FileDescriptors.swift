import Glibc

/// How many files and connections this process may have open at once.
package enum FileDescriptors {
    /// Raises the limit to the most that the system allows.
    /// - Returns: the new limit.
    package static func raise() -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return Int(clamping: limit.rlim_cur)
    }
}
