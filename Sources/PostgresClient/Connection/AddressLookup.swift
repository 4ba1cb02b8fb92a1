import Glibc
import Synchronization

/// Looks up the addresses of a host, on a thread of its own: nothing ends a call of getaddrinfo(3), which waits for
/// name servers that do not answer. A lookup that no caller waits for any more ends by itself.
final class AddressLookup: Sendable {
    enum Outcome: Sendable {
        /// As numbers, in the order in which to try them.
        case addresses([String])
        /// Says why.
        case failed(String)
    }

    /// The lookups that have not ended, by name: callers share them, so that name servers which do not answer cost one
    /// thread for each name.
    private static let running = Mutex<[String: AddressLookup]>([:])

    private let found = Mutex<Outcome?>(nil)

    /// `nil` until it has ended.
    var outcome: Outcome? { found.withLock { $0 } }

    /// Joins the lookup of `name` that runs, or begins one.
    static func of(_ name: String) -> AddressLookup {
        let (lookup, isNew) = running.withLock { running in
            if let known = running[name] { return (known, false) }
            let lookup = AddressLookup()
            running[name] = lookup
            return (lookup, true)
        }
        if isNew {
            PostgresThread().schedule {
                let outcome = addresses(of: name)
                _ = running.withLock { $0.removeValue(forKey: name) }
                lookup.found.withLock { $0 = outcome }
            }
        }
        return lookup
    }

    /// Whether a host is a name, and neither an address nor the folder of a socket.
    static func isNeeded(for host: String) -> Bool {
        guard !host.hasPrefix("/"), !host.hasPrefix("@"), !host.contains(":") else { return false }
        var address = in_addr()
        return inet_pton(AF_INET, host, &address) != 1
    }

    private static func addresses(of name: String) -> Outcome {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else {
            let reason = String(cString: gai_strerror(code))
            return .failed("could not translate host name \"\(name)\" to address: \(reason)")
        }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next {
            if let address = numbers(of: entry.pointee), !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return .addresses(addresses)
    }

    private static func numbers(of entry: addrinfo) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { text in
            let code = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, text.baseAddress, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
            guard code == 0, let start = text.baseAddress else { return nil }
            return String(cString: start)
        }
    }
}
