import Glibc
import Testing

/// Two sockets that are connected to each other.
package struct SocketPair {
    package let one: CInt
    package let other: CInt

    package init() throws {
        var ends: [CInt] = [0, 0]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        (one, other) = (ends[0], ends[1])
        // However much the system lets a socket hold, it is little here.
        var size: CInt = 64 * 1024
        setsockopt(one, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        // A test that waits for what never comes must end.
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(other, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Whether these bytes are the next that arrive at the other end.
    package func receives(_ bytes: [UInt8]) -> Bool { next(bytes.count) == bytes }

    /// Whether the first end is closed, and nothing is left at the other one.
    package var isClosed: Bool {
        var byte: UInt8 = 0
        let got = recv(other, &byte, 1, 0)
        return got == 0 || got < 0 && errno == ECONNRESET
    }

    /// What has arrived at the other end, but no more than `limit` bytes.
    package func arrived(limit: Int) -> [UInt8] { next(limit, flags: MSG_DONTWAIT) }

    private func next(_ count: Int, flags: Int = MSG_WAITALL) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(other, &bytes, count, CInt(flags))
        return Array(bytes.prefix(max(0, got)))
    }

    /// Whether nothing has arrived at the other end.
    package var isEmpty: Bool { arrived(limit: 1).isEmpty }

    package func closeBoth() {
        close(one)
        close(other)
    }
}
