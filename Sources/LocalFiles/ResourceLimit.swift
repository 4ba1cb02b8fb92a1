import Glibc

/// The limits of this process, as getrlimit(2) has them.
enum ResourceLimit {
    /// Raises a limit to the most that the system allows.
    /// - Returns: the new limit; `nil` if it cannot be read.
    static func raise(_ resource: __rlimit_resource) -> rlim_t? {
        let resource = __rlimit_resource_t(resource.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        return limit.rlim_cur
    }
}
