import Glibc
import NIOCore

/// Tells a lack of the relay's own machine or process from a fault of an endpoint.
enum LocalShortage {
    /// Descriptors, memory, buffers of the kernel, and ports for connections to the address.
    private static let codes: Set<CInt> = [EMFILE, ENFILE, ENOBUFS, ENOMEM, EADDRNOTAVAIL]

    /// Whether a connection failed only because of a lack here.
    static func isCause(of error: any Error) -> Bool {
        (error as? IOError).map { codes.contains($0.errnoCode) } ?? false
    }

    /// Whether the process can open no socket now. A look-up that fails meanwhile says nothing about its name.
    static var preventsSockets: Bool {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return codes.contains(errno) }
        close(socket)
        return false
    }
}
