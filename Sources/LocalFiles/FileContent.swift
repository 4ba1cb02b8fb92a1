import Glibc
package import SystemPackage

/// Reads files of any kind to their end.
///
/// Foundation takes a short read for the end of a file. The kernel's own files, such as `/proc/locks`, and pipes return
/// a part with each read, and do not tell their size.
package enum FileContent {
    private static let bytesAtOnce = 64 << 10

    /// - Parameters:
    ///   - followsLink: whether the path may be a symbolic link.
    ///   - limit: how many bytes are read at most. To find a file that is too long, allow one more.
    /// - Returns: all bytes up to the first read that returns none.
    /// - Throws: why it cannot be opened or read.
    package static func read(
        _ path: String, followsLink: Bool = true, atMost limit: Int = .max
    ) throws(Errno) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW))
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        return try read(descriptor, atMost: limit)
    }

    /// Like ``read(_:followsLink:atMost:)``, from the position of an open file.
    package static func read(_ descriptor: CInt, atMost limit: Int = .max) throws(Errno) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit {
            var (count, code) = (0, CInt(0))
            let most = min(bytesAtOnce, limit - bytes.count)
            let piece = [UInt8](unsafeUninitializedCapacity: most) { buffer, initialized in
                count = Glibc.read(descriptor, buffer.baseAddress, most)
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
    package static func text(_ path: String) -> String? { try? String(decoding: read(path), as: UTF8.self) }
}
