import Glibc
package import SystemPackage

extension Errno {
    /// Why the last system call of this thread failed. Its description is the system's text. Must be read before
    /// anything else is called.
    package static var last: Errno { Errno(rawValue: errno) }
}
