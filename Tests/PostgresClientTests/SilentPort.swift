import Glibc

@testable import PostgresClient

/// A port of this machine whose connections are made, and on which nothing ever answers: as a machine that is lost.
final class SilentPort {
    private let descriptor: Int32
    private let number: UInt16

    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, generic, &size) == 0
            }
        }
        (self.descriptor, number) = (descriptor, UInt16(bigEndian: address.sin_port))
        guard isBound else { throw PostgresError(.connectionLost) }
    }

    deinit { close(descriptor) }

    var host: String { "127.0.0.1:\(number)" }

    /// A location whose first host is this one, and whose second is that of `other`.
    func before(_ other: PostgresLocation) throws -> PostgresLocation {
        let folder = other.hosts[0].name.replacing("/", with: "%2F")
        return try PostgresLocation("postgres://test@\(host),\(folder)/\(other.database ?? "")")
    }
}
