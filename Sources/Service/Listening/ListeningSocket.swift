import Glibc
import NIOCore
import Synchronization

/// A socket that readers connect to. It stays open while the next process image replaces this one
/// (``ProcessReplacement``), so no connection is refused in between: new ones wait in the kernel's queue.
final class ListeningSocket: Sendable {
    private static let backlog: CInt = 4096

    /// Guards the descriptor; `nil` once it is closed.
    private let descriptor: Mutex<CInt?>
    /// Whether the service manager passed it and keeps it at its address.
    let isPassed: Bool
    /// Where it was bound, and by which setting; `nil` for a socket that listened before.
    private let place: (address: ListenAddress, setting: String)?

    /// - Parameters:
    ///   - inherited: a socket that listens already.
    ///   - isPassed: whether the service manager passed it.
    init(inherited: CInt, isPassed: Bool = false) {
        descriptor = Mutex(inherited)
        self.isPassed = isPassed
        place = nil
    }

    /// Binds an address. Connections to it are refused until ``take()`` or ``listen()``. Other programs can bind it,
    /// too, until one of them listens.
    /// - Throws: ``ListenError``
    init(_ address: ListenAddress, setting: String) throws {
        descriptor = Mutex(try address.bind(setting))
        isPassed = false
        place = (address, setting)
    }

    deinit { close() }

    /// Makes the address this process's own. Connections wait in the kernel's queue until they are accepted.
    /// - Throws: ``ListenError``, in use if another program that bound the address listens already.
    func take() throws {
        try descriptor.withLock { if let descriptor = $0 { try listen(on: descriptor) } }
    }

    /// From now on connections arrive.
    /// - Returns: the same socket, to accept connections from and to close; `nil` if it is closed already.
    /// - Throws: ``ListenError``, in use if another program that bound the address listens already.
    func listen() throws -> CInt? {
        try descriptor.withLock { descriptor in
            guard let descriptor else { return nil }
            try listen(on: descriptor)
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { throw IOError.last("fcntl") }
            return copy
        }
    }

    private func listen(on descriptor: CInt) throws {
        guard Glibc.listen(descriptor, Self.backlog) != 0 else { return }
        guard let place else { throw IOError.last("listen") }
        throw ListenError.last(place.address, setting: place.setting)
    }

    /// Its address; `nil` if it is closed, or is not a TCP socket over IP.
    var bound: ListenAddress? { descriptor.withLock { $0.flatMap(ListenAddress.init(bound:)) } }

    /// Whether it has the address of a setting.
    /// - Throws: ``PassedSocketError`` if the service manager passed it and it does not.
    func meets(_ address: ListenAddress?, setting: String) throws(PassedSocketError) -> Bool {
        let bound = bound
        if let address, let bound, address.isMet(by: bound, isDual: isPassed && takesBothFamilies) { return true }
        guard !isPassed else { throw PassedSocketError(setting: setting, set: address, bound: bound) }
        return false
    }

    private var takesBothFamilies: Bool {
        descriptor.withLock { descriptor in
            var (answer, size) = (CInt(1), socklen_t(MemoryLayout<CInt>.size))
            guard let descriptor else { return false }
            return getsockopt(descriptor, CInt(IPPROTO_IPV6), IPV6_V6ONLY, &answer, &size) == 0 && answer == 0
        }
    }

    func close() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
    }

    /// Keeps it open for the next process image.
    /// - Returns: its number there; `nil` if it is closed.
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
