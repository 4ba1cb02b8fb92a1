import Glibc

/// How large the files may become that this process writes.
package enum FileSizes {
    /// Raises the limit to the most that the system allows.
    /// - Returns: the new limit in bytes; `nil` if there is none.
    package static func raise() -> UInt64? {
        // The greatest number is RLIM_INFINITY, a macro that Swift does not import.
        guard let limit = ResourceLimit.raise(RLIMIT_FSIZE), limit != .max else { return nil }
        return UInt64(limit)
    }
}
