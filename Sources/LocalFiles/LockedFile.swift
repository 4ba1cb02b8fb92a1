import Glibc
package import SystemPackage

/// A file that this process has locked as long as this value exists. It says nothing by its content.
package final class LockedFile: Sendable {
    /// Why the file is not locked.
    package enum Failure: Error, Hashable {
        case cannotOpen(Errno)
        /// Another process has locked it.
        case inUse
        case cannotLock(Errno)

        /// - Parameter error: from ``ExclusiveLock/take(_:)``.
        package init(locking error: Errno) { self = error == .wouldBlock ? .inUse : .cannotLock(error) }
    }

    private let descriptor: CInt

    /// Makes the file if it is missing. Follows no link and does not wait.
    package init(_ path: String) throws(Failure) {
        // Opened for writing, because a lock on NFS needs that.
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(.last) }
        do throws(Errno) {
            try ExclusiveLock.take(descriptor)
        } catch {
            close(descriptor)
            throw Failure(locking: error)
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
