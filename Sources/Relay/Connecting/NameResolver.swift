import Glibc
package import NIOPosix
package import Webhooks

/// Finds the addresses of a name.
package protocol NameResolver: Sendable {
    /// In the order in which they are to be tried; empty where there are none.
    func addresses(of name: String) async -> [NetworkAddress]
}

/// The resolver of the system, on threads of its own.
package struct SystemResolver: NameResolver {
    private let threads: NIOThreadPool

    package init(_ threads: NIOThreadPool) { self.threads = threads }

    package func addresses(of name: String) async -> [NetworkAddress] {
        (try? await threads.runIfActive { Self.resolve(name) }) ?? []
    }

    private static func resolve(_ name: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &found) == 0 else { return [] }
        defer { freeaddrinfo(found) }
        var addresses: [NetworkAddress] = []
        var next = found
        while let entry = next {
            if let address = address(of: entry.pointee), !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return addresses
    }

    private static func address(of entry: addrinfo) -> NetworkAddress? {
        guard let place = UnsafeRawPointer(entry.ai_addr) else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in.self).sin_addr) { NetworkAddress(Array($0)) }
        case AF_INET6:
            return withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in6.self).sin6_addr) {
                NetworkAddress(Array($0))
            }
        default: return nil
        }
    }
}
