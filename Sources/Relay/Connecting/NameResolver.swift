import Glibc
import Synchronization
import Webhooks

/// Finds the addresses of a name.
protocol NameResolver: Sendable {
    /// The addresses in the order in which to try them; empty if there are none.
    /// - Returns: `nil` if the name could not be looked up in time because of other look-ups, or because the relay lacks
    ///   descriptors or memory.
    func addresses(of name: String) async -> [NetworkAddress]?
}

/// The resolver of the system, for one organization.
struct SystemResolver: NameResolver {
    /// How long a look-up may take, including the wait for a thread. The system itself may continue for a minute, and
    /// cannot be stopped.
    private static let timeout = Duration.seconds(10)

    private let organization: String
    private let threads: LookUpThreads
    private let timeout: Duration
    private let lookUp: @Sendable (String) -> [NetworkAddress]?

    init(organization: String, threads: LookUpThreads) {
        self.init(organization: organization, threads: threads, timeout: Self.timeout, lookUp: Self.resolve)
    }

    /// - Parameter lookUp: may block its thread. It returns `nil` if the relay itself cannot look up a name.
    init(
        organization: String, threads: LookUpThreads, timeout: Duration,
        lookUp: @escaping @Sendable (String) -> [NetworkAddress]?
    ) {
        self.organization = organization
        self.threads = threads
        self.timeout = timeout
        self.lookUp = lookUp
    }

    /// The wait for a thread counts, because the lease of the delivery runs meanwhile. If no thread was free for a
    /// name, its endpoint is not at fault.
    func addresses(of name: String) async -> [NetworkAddress]? {
        await withCheckedContinuation { continuation in
            let lookingUp = NameLookUp(continuation)
            let timer = Task {
                try await Task.sleep(for: timeout)
                lookingUp.giveUp()
            }
            threads.submit(for: organization) { [lookUp] in
                defer { timer.cancel() }
                guard lookingUp.begin() else { return }
                lookingUp.end(lookUp(name))
            }
        }
    }

    /// - Returns: `nil` if the relay lacks descriptors or memory, so that the failure says nothing about the name.
    private static func resolve(_ name: String) -> [NetworkAddress]? {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &found)
        guard code == 0 else { return code == EAI_MEMORY || LocalShortage.preventsSockets ? nil : [] }
        defer { freeaddrinfo(found) }
        var addresses: [NetworkAddress] = []
        var next = found
        while let entry = next {
            if let address = NetworkAddress(entry.pointee.ai_addr), !addresses.contains(address) {
                addresses.append(address)
            }
            next = entry.pointee.ai_next
        }
        return addresses
    }
}

/// One look-up, which ends once: with the addresses, or when its time is over.
private final class NameLookUp: Sendable {
    private struct State {
        var continuation: CheckedContinuation<[NetworkAddress]?, Never>?
        var hasBegun = false
    }

    /// Guards the waiting task and whether a thread has begun; held to read or change them.
    private let state: Mutex<State>

    init(_ continuation: CheckedContinuation<[NetworkAddress]?, Never>) {
        state = Mutex(State(continuation: continuation))
    }

    /// - Returns: whether a task still waits.
    func begin() -> Bool {
        state.withLock { state in
            state.hasBegun = true
            return state.continuation != nil
        }
    }

    func end(_ addresses: [NetworkAddress]?) { take().continuation?.resume(returning: addresses) }

    /// The time is over: a name whose look-up had begun counts as having no address.
    func giveUp() {
        let state = take()
        state.continuation?.resume(returning: state.hasBegun ? [] : nil)
    }

    private func take() -> State {
        state.withLock { state in
            defer { state.continuation = nil }
            return state
        }
    }
}
