import Cryptography
import Identifiers
import StoragePorts
import Synchronization
import TestSupport
import Testing

@testable import UseCases

/// Remembers the requests whose effect a test has had.
private final class Requests: IdempotencyStore {
    private let kept = Mutex<[[UInt8]: IdempotencyRecord]>([:])

    func keep(_ fingerprint: IdempotencyFingerprint, _ effect: RequestEffect) {
        kept.withLock { $0[fingerprint.key] = IdempotencyRecord(fingerprint: fingerprint, effect: effect) }
    }

    func request(under key: [UInt8]) async throws -> IdempotencyRecord? { kept.withLock { $0[key] } }
}

@Suite struct IdempotentRequestsTests {
    private let log = Requests()
    private let requests: IdempotentRequests
    private let key: IdempotencyKey
    private let effect: RequestEffect

    init() throws {
        let erasureKey = SecretBytes([UInt8](repeating: 7, count: 32))
        requests = IdempotentRequests(
            store: log, fingerprinter: try IdempotencyFingerprinter(erasureKey: erasureKey))
        key = try #require(IdempotencyKey("\"once\""))
        effect = RequestEffect(first: try Samples.number(1), last: try Samples.number(2), isNew: true)
    }

    private func answer(
        body: String = "{}", make: (IdempotencyFingerprint) async throws -> String = { _ in "made" }
    ) async throws -> String {
        try await requests.answer(
            key, of: .operator, path: "/v1/orgs/acme/consents", body: Array(body.utf8), make: make
        ) { "replayed \($0.first)" }
    }

    @Test("a request has its effect once; repeated, it is answered from that effect")
    func once() async throws {
        let first = try await answer { fingerprint in
            log.keep(fingerprint, effect)
            return "made"
        }
        #expect(first == "made")
        #expect(try await answer() == "replayed \(effect.first)")
    }

    @Test("a request that was refused is not kept: its key may be used again")
    func refused() async throws {
        await #expect(throws: Outage.self) { try await answer { _ in throw Outage() } }
        #expect(try await answer() == "made")
    }

    @Test("a key that was used with another body is refused")
    func otherBody() async throws {
        _ = try await answer { fingerprint in
            log.keep(fingerprint, effect)
            return "made"
        }
        await #expect(throws: RequestRefusal.idempotencyKeyReused) { try await answer(body: "{ }") }
    }

    @Test("a key is its caller's, and of one route: nobody finds what another request under it made")
    func apart() async throws {
        _ = try await answer { fingerprint in
            log.keep(fingerprint, effect)
            return "made"
        }
        func other(_ principal: Principal, _ path: String) async throws -> String {
            try await requests.answer(key, of: principal, path: path, body: Array("{}".utf8)) { _ in
                "made"
            } replay: { _ in
                "replayed"
            }
        }
        #expect(try await other(.operator, "/v1/orgs/acme/consents") == "replayed")
        #expect(try await other(.operator, "/v1/orgs/zeta/consents") == "made")
        #expect(try await other(.key(try Samples.apiKey()), "/v1/orgs/acme/consents") == "made")
    }

    @Test("while a request is being worked on, a second one with its key is refused")
    func underWay() async throws {
        let outer = try await answer { _ in
            await #expect(throws: RequestRefusal.stillRunning) { try await answer() }
            return "made"
        }
        #expect(outer == "made")
        #expect(try await answer() == "made", "the key is free again")
    }
}
