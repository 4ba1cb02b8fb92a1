import StubService
import Synchronization

@testable import ConsentLinkClient

/// The pauses that a client would have made.
final class Pauser: Sendable {
    private let noted = Mutex<[Duration]>([])

    var pauses: [Duration] { noted.withLock { $0 } }

    func note(_ pause: Duration) { noted.withLock { $0.append(pause) } }
}

extension ConsentLinkAPI {
    /// A client that notes its pauses and does not make them.
    static func quick(_ base: String, _ pauser: Pauser = Pauser(), _ retries: RetryPolicy = .init()) throws -> Self {
        var transport = try ConsentLinkAPI(base, key: "clk_secret", retries: retries).transport
        transport.pause = { pauser.note($0) }
        return ConsentLinkAPI(transport)
    }
}

extension OrganizationAPI {
    static func quick(_ base: String, _ pauser: Pauser = Pauser()) throws -> Self {
        try ConsentLinkAPI.quick(base, pauser).organization("acme")
    }
}
