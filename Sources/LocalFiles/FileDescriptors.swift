import Glibc

/// How many files and connections this process may have open at once.
package enum FileDescriptors {
    /// Raises the limit to the most that the system allows.
    /// - Returns: the new limit.
    package static func raise() -> Int { Int(clamping: ResourceLimit.raise(RLIMIT_NOFILE) ?? .max) }
}
