import Glibc
import NIOCore
import Synchronization

/// A socket that readers connect to. It stays open while one process image is replaced by the next
/// (``ProcessReplacement``), so no connection is refused in between: what comes waits in the kernel's queue.
final class ListeningSocket: Sendable {
    private static let backlog: CInt = 4096

    /// Guards the descriptor; `nil` once it is closed.
    private let descriptor: Mutex<CInt?>

    /// - Parameter inherited: a socket that listens already.
    init(inherited: CInt) { descriptor = Mutex(inherited) }

    /// Takes an address. Connections to it are refused until ``listen()``.
    /// - Throws: ``ListenError``
    init(_ address: ListenAddress, setting: String) throws { descriptor = Mutex(try address.bind(setting)) }

    deinit { close() }

    /// From now on connections come.
    /// - Returns: the same socket for whoever accepts them and closes it.
    func listen() throws -> CInt {
        try descriptor.withLock { descriptor in
            guard let descriptor, Glibc.listen(descriptor, Self.backlog) == 0 else { throw IOError.last("listen") }
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw IOError.last("fcntl") }
            return copy
        }
    }

    func close() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
    }

    /// Keeps it open for the process image that follows.
    /// - Returns: its number there; `nil` when it is closed.
    func handOver() -> CInt? {
        descriptor.withLock { descriptor in
            guard let descriptor, fcntl(descriptor, F_SETFD, 0) == 0 else { return nil }
            return descriptor
        }
    }
}

extension IOError {
    fileprivate static func last(_ function: String) -> IOError { IOError(errnoCode: errno, reason: function) }
}
