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
