import Glibc
package import SystemPackage

/// Reads files of any kind to their end.
///
/// Foundation takes a short read for the end of a file. The kernel's own files, such as `/proc/locks`, and pipes return
/// a part with each read, and do not tell their size.
package enum FileContent {
    private static let bytesAtOnce = 64 << 10

    /// - Returns: all bytes up to the first read that returns none.
    /// - Throws: why it cannot be opened or read.
    package static func read(_ path: String) throws(Errno) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var (count, code) = (0, CInt(0))
            let piece = [UInt8](unsafeUninitializedCapacity: bytesAtOnce) { buffer, initialized in
                count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                code = errno
                initialized = max(count, 0)
            }
            guard count >= 0 else {
                guard code == EINTR else { throw Errno(rawValue: code) }
                continue
            }
            guard count > 0 else { break }
            bytes += piece
        }
        return bytes
    }

    /// The same as text, for files of the kernel.
    ///
    /// - Returns: `nil` if it cannot be read.
    static func text(_ path: String) -> String? { try? String(decoding: read(path), as: UTF8.self) }
}
