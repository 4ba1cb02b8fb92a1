import Glibc
package import SystemPackage

extension FileDescriptor {
    /// Writes all of `bytes`. Waits on this thread for a slow reader, even if the descriptor is non-blocking.
    ///
    /// - Throws: the system's error; a part may be written then.
    package func writeWhole(_ bytes: [UInt8]) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                // It would be asked for ever.
                throw .ioError
            } else if code == EAGAIN {
                var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if code != EINTR {
                throw Errno(rawValue: code)
            }
        }
    }
}
