import Foundation

/// Standard output, written in large pieces.
struct StandardOutput {
    private var bytes: [UInt8] = []

    /// - Throws: ``StreamError``, such as for a disk that is full.
    mutating func writeLine(_ line: some Sequence<UInt8>) throws(StreamError) {
        bytes.append(contentsOf: line)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= 1 << 16 { try flush() }
    }

    /// - Throws: ``StreamError``. What was not written yet is kept.
    mutating func flush() throws(StreamError) {
        var written = 0
        defer { bytes.removeFirst(written) }
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                throw StreamError(lastOf: "standard output")
            }
        }
    }
}
