import Glibc
import NIOPosix
import Synchronization
package import Webhooks

/// Finds the addresses of a name.
package protocol NameResolver: Sendable {
    /// In the order in which they are to be tried; empty where there are none.
    func addresses(of name: String) async -> [NetworkAddress]
}

/// The resolver of the system, on threads of its own. Each organization has one: a name server that never answers keeps
/// nobody waiting but those who named it.
package struct SystemResolver: NameResolver {
    /// How long a name is looked up before it counts as having no address. The system itself may go on for a minute, and
    /// takes no end.
    private static let patience = Duration.seconds(10)
    private static let threadsOfOrganization = 4

    private let threads: NIOThreadPool
    private let patience: Duration
    private let lookUp: @Sendable (String) -> [NetworkAddress]

    package init() { self.init(patience: Self.patience, lookUp: Self.resolve) }

    /// - Parameter lookUp: may block its thread.
    init(patience: Duration, lookUp: @escaping @Sendable (String) -> [NetworkAddress]) {
        threads = NIOThreadPool(numberOfThreads: Self.threadsOfOrganization)
        threads.start()
        self.patience = patience
        self.lookUp = lookUp
    }

    /// The time before a thread is free does not count.
    package func addresses(of name: String) async -> [NetworkAddress] {
        await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            threads.submit { state in
                guard case .active = state else { return answer.give([]) }
                let timer = Task {
                    try await Task.sleep(for: patience)
                    answer.give([])
                }
                answer.give(lookUp(name))
                timer.cancel()
            }
        }
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

/// Takes the first of several answers.
private final class FirstAnswer: Sendable {
    private let continuation: Mutex<CheckedContinuation<[NetworkAddress], Never>?>

    init(_ continuation: CheckedContinuation<[NetworkAddress], Never>) { self.continuation = Mutex(continuation) }

    func give(_ addresses: [NetworkAddress]) {
        continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }?.resume(returning: addresses)
    }
}
