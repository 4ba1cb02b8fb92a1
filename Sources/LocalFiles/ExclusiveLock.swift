import Glibc
package import SystemPackage

/// Excludes other processes until the locked file is closed or the process ends (flock(2)).
package enum ExclusiveLock {
    /// Does not wait.
    /// - Throws: the system's error. Only `wouldBlock` means that another process has the lock.
    package static func take(_ descriptor: CInt) throws(Errno) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            // A signal says nothing about the lock. Calls on network file systems are interrupted even if they do not
            // wait.
            guard errno == EINTR else { throw .last }
        }
    }
}
