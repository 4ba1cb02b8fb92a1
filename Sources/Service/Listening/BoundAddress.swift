import Glibc

extension ListenAddress {
    /// Where a socket is bound, with the host as a number.
    ///
    /// - Returns: `nil` for what is not a TCP socket over IP.
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

    /// The host as a number, without a name server.
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
        // The same address, as a socket for both families names it.
        let mapped = "::ffff:"
        let isMapped = text.hasPrefix(mapped) && text.contains(".")
        self.init(host: isMapped ? String(text.dropFirst(mapped.count)) : text, port: number)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The same with the host as it is written in full: `0`, `[::0]` and `127.1` are addresses, too. `nil` where the host is
    /// a name.
    var number: ListenAddress? { resolved(AI_NUMERICHOST).first }

    /// What the host stands for, each with the host as a number; empty where there is no such host.
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

    /// Whether a socket that is bound to `bound` is where this says.
    ///
    /// - Parameter isDual: whether the socket, bound to every IPv6 address, takes every IPv4 address too.
    func isMet(by bound: ListenAddress, isDual: Bool) -> Bool {
        guard port == 0 || port == bound.port else { return false }
        let hosts = Set(numbers.map(\.host))
        return hosts.contains(bound.host) || isDual && bound.host == "::" && hosts.contains("0.0.0.0")
    }
}

/// A socket that the service manager passes is somewhere else than the setting says.
package struct PassedSocketError: Error, Equatable, CustomStringConvertible {
    let setting: String
    /// As it is set; `nil` for `off`.
    let set: ListenAddress?
    /// `nil` for what is not a TCP socket over IP.
    let bound: ListenAddress?

    package var description: String {
        """
        \(setting) is \(set?.description ?? "off"), and the socket that the service manager passes for it is at \
        \(bound?.description ?? "no address of TCP"): set both to the same address
        """
    }
}
