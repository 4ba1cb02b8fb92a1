import Glibc

/// How large the files may become that this process writes.
package enum FileSizes {
    /// Raises the limit to the most that the system allows.
    /// - Returns: the new limit in bytes; `nil` if there is none.
    package static func raise() -> UInt64? {
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return nil }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
        getrlimit(resource, &limit)
        // RLIM_INFINITY, which is a macro that Swift does not import.
        return limit.rlim_cur == .max ? nil : UInt64(limit.rlim_cur)
    }
}
