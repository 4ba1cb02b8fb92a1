import StubService
import Synchronization

@testable import ConsentLinkClient

/// The pauses that a client would have made.
final class Pauser: Sendable {
    /// What a client is told that waits more often than a test expects, lest it tries for ever.
    struct TooMany: Error {}

    private let noted = Mutex<[Duration]>([])
    private let most: Int

    init(most: Int = .max) { self.most = most }

    var pauses: [Duration] { noted.withLock { $0 } }

    func note(_ pause: Duration) throws {
        let count = noted.withLock { noted in
            noted.append(pause)
            return noted.count
        }
        guard count <= most else { throw TooMany() }
    }
}

extension ConsentLinkAPI {
    /// A client that notes its pauses and does not make them.
    static func quick(_ base: String, _ pauser: Pauser = Pauser(), _ retries: RetryPolicy = .init()) throws -> Self {
        var transport = try ConsentLinkAPI(base, key: "clk_secret", retries: retries).transport
        transport.pause = { try pauser.note($0) }
        return ConsentLinkAPI(transport)
    }
}

extension OrganizationAPI {
    static func quick(_ base: String, _ pauser: Pauser = Pauser()) throws -> Self {
        try ConsentLinkAPI.quick(base, pauser).organization("acme")
    }

    /// A client that does not wait long for a service that has begun to answer.
    static func impatient(_ base: String) throws -> Self {
        var transport = try ConsentLinkAPI.quick(base).transport
        transport.silence = .seconds(1)
        transport.longestProblem = .seconds(1)
        return try ConsentLinkAPI(transport).organization("acme")
    }
}
