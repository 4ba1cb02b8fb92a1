import StubService
import Testing
import Webhooks

@testable import Relay

/// A relay's requests to the service do not wait for each other.
@Suite struct ServiceConnectionSetsTests {
    @Test("while each of many organizations waits for events, a report of each is answered")
    func reports() async throws {
        let organizations = 300
        let waiting = StubServer.Reply(stalls: true)
        try await StubServer.with({ request, _ in
            request.path.hasSuffix("/take") ? waiting : .json(#"{"stopped":null,"next":null}"#)
        }) { service in
            let connections = ServiceConnectionSets(organizations: organizations)
            let identity = try #require(RelayIdentity(relay: "relay-of-the-tests", process: "process-00000000"))
            let calls = try (0..<organizations).map { number in
                try ServiceCalls(
                    service.base, key: "clk_" + String(repeating: "A", count: 43), over: connections,
                    organization: "organization-\(number)", identity: identity)
            }
            let takes = calls.map { calls in Task { _ = try? await calls.take() } }
            defer { for take in takes { take.cancel() } }
            for _ in 0..<1000 where service.requests.count < organizations {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(service.requests.count == organizations)
            for calls in calls.prefix(3) {
                _ = try await calls.report(.failed(.timedOut), of: "AAAA", milliseconds: 1, wantsNext: false)
            }
        }
    }
}
