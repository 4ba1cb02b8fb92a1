import Glibc
import NIOCore

/// A listener that cannot be opened.
struct ListenError: Error, CustomStringConvertible {
    let address: ListenAddress
    let reason: String

    var description: String { "cannot listen on \(address): \(reason)" }
}

extension ListenAddress {
    /// Opens the address and lets go of it again, so that what is wrong with it is said by name before anything starts.
    func check() throws {
        let resolved: SocketAddress
        do {
            resolved = try .makeAddressResolvingHost(host, port: port)
        } catch {
            throw ListenError(address: self, reason: "no such host")
        }
        let descriptor = socket(resolved.protocol.rawValue, CInt(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw ListenError(address: self, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        let isBound = resolved.withSockAddr { address, size in bind(descriptor, address, socklen_t(size)) == 0 }
        guard isBound else { throw ListenError(address: self, reason: String(cString: strerror(errno))) }
    }
}
