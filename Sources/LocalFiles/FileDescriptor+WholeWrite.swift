import Glibc
package import SystemPackage

extension FileDescriptor {
    /// Writes all of `bytes`. Waits on this thread for a slow reader, even if the descriptor is non-blocking.
    ///
    /// - Throws: the system's error; a part may be written then.
    package func writeWhole(_ bytes: [UInt8]) throws(Errno) {
        if let error = write(allOf: bytes).error { throw error }
    }

    /// The same.
    ///
    /// - Returns: how many bytes were written, and the system's error if that is not all.
    package func write(allOf bytes: [UInt8]) -> (count: Int, error: Errno?) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(rawValue, $0.baseAddress, $0.count) }
            let code = errno
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count == 0 {
                // It would be asked for ever.
                return (bytes.count - rest.count, .ioError)
            } else if code == EAGAIN {
                var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
                _ = poll(&waiting, 1, -1)
            } else if code != EINTR {
                return (bytes.count - rest.count, Errno(rawValue: code))
            }
        }
        return (bytes.count, nil)
    }
}
