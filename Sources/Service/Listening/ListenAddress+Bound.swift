import Glibc

extension ListenAddress {
    /// The address of a bound socket, with a numeric host.
    ///
    /// - Returns: `nil` if it is not a TCP socket over IP.
    init?(bound descriptor: CInt) {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let address = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> ListenAddress? in
                guard getsockname(descriptor, address, &size) == 0 else { return nil }
                return ListenAddress(numberOf: address, size: size)
            }
        }
        guard let address else { return nil }
        self = address
    }

    /// The numeric host, without a name server.
    private init?(numberOf address: UnsafePointer<sockaddr>, size: socklen_t) {
        guard [AF_INET, AF_INET6].contains(CInt(address.pointee.sa_family)) else { return nil }
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        guard
            getnameinfo(
                address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                NI_NUMERICHOST | NI_NUMERICSERV) == 0,
            let number = Int(Self.text(port))
        else { return nil }
        let text = Self.text(host)
        // A socket for IPv6 and IPv4 names an IPv4 address so (RFC 4291, 2.5.5.2).
        let mapped = "::ffff:"
        let isMapped = text.hasPrefix(mapped) && text.contains(".")
        self.init(host: isMapped ? String(text.dropFirst(mapped.count)) : text, port: number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The address with its numeric host in full: `0`, `[::0]` and `127.1` are addresses, too. `nil` if the host is a name.
    var number: ListenAddress? { resolved(AI_NUMERICHOST).first }

    /// The addresses that the host resolves to, with numeric hosts; empty if there is no such host.
    var numbers: Set<ListenAddress> { resolved(0) }

    private func resolved(_ flags: CInt) -> Set<ListenAddress> {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var found: Set<ListenAddress> = []
        var next = list
        while let entry = next?.pointee {
            if let address = entry.ai_addr, let number = ListenAddress(numberOf: address, size: entry.ai_addrlen) {
                found.insert(number)
            }
            next = entry.ai_next
        }
        return found
    }

    /// Whether a socket that is bound to `bound` has this address.
    ///
    /// - Parameter isDual: whether the socket, bound to every IPv6 address, takes every IPv4 address too.
    func isMet(by bound: ListenAddress, isDual: Bool) -> Bool {
        guard port == 0 || port == bound.port else { return false }
        let hosts = Set(numbers.map(\.host))
        return hosts.contains(bound.host) || isDual && bound.host == "::" && hosts.contains("0.0.0.0")
    }
}
