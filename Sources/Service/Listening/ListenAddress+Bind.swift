import Glibc
import NIOCore

extension ListenAddress {
    /// Binds the address before anything starts, so that an error can name the setting.
    /// - Returns: a socket that does not listen yet.
    func bind(_ setting: String) throws -> CInt {
        let resolved: SocketAddress
        do {
            resolved = try .makeAddressResolvingHost(host, port: port)
        } catch {
            throw ListenError(address: self, setting: setting, reason: .noSuchHost)
        }
        let descriptor = socket(
            resolved.protocol.rawValue, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw ListenError.last(self, setting: setting) }
        var yes: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        let isBound = resolved.withSockAddr { address, size in Glibc.bind(descriptor, address, socklen_t(size)) == 0 }
        guard isBound else {
            let failure = ListenError.last(self, setting: setting)
            close(descriptor)
            throw failure
        }
        return descriptor
    }
}
