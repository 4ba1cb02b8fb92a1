import Glibc
import NIOCore
import Webhooks

extension NetworkAddress {
    /// Reads an address in the form of a URL, with an IPv6 address in brackets.
    init?(literal text: String) {
        if text.hasPrefix("["), text.hasSuffix("]") {
            var address = in6_addr()
            guard inet_pton(AF_INET6, String(text.dropFirst().dropLast()), &address) == 1 else { return nil }
            self.init(withUnsafeBytes(of: address) { Array($0) })
        } else {
            var address = in_addr()
            guard inet_pton(AF_INET, text, &address) == 1 else { return nil }
            self.init(withUnsafeBytes(of: address) { Array($0) })
        }
    }

    /// - Returns: `nil` for another family than IPv4 and IPv6, and for no address.
    init?(_ socket: UnsafePointer<sockaddr>?) {
        guard let socket else { return nil }
        let place = UnsafeRawPointer(socket)
        switch Int32(socket.pointee.sa_family) {
        case AF_INET:
            self.init(withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) })
        case AF_INET6:
            self.init(withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) })
        default: return nil
        }
    }

    var bytes: [UInt8] {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.bigEndian) { Array($0) }
        case .v6(let bytes): bytes
        }
    }

    func socket(port: Int) throws -> SocketAddress {
        try SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: port)
    }
}
