import StubService
import Testing

@testable import ConsentLinkClient

/// What answers in place of the service, such as the sign-in page of a proxy.
@Suite struct HostileServiceTests {
    private static let page = "<html>\n<p>Sign in, ana</p>\n</html>\n"
    private static let html = ("Content-Type", "text/html; charset=utf-8")

    @Test(
        "an answer that is not of this service is said to be so, at once, and not shown",
        arguments: [page, "", "[]", "7", "{\"origin\":\"ana\"", "\u{0}", String(repeating: "[", count: 100_000)])
    func noJSON(_ body: String) async throws {
        try await StubServer.with({ _, _ in .init(headers: [Self.html], body: body) }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            let order = PayloadOrder(.stored("m"), format: .plain)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await acme.ledger() }, { _ = try await acme.createKey(scopes: [.read]) },
                { try await acme.record([NewConsent(recipient: "ana", state: .given)]) },
                { _ = try await acme.compose(order, for: ["ana"]) },
                { for try await _ in try acme.exportDecisions() {} },
                { for try await _ in try acme.exportAudit() {} },
                { for try await _ in try acme.compose(order, forEach: ["ana"]) {} },
            ]
            for call in calls {
                let error = try await #require(throws: ConsentLinkError.self) { try await call() }
                guard case .unexpectedAnswer = error else {
                    Issue.record(error)
                    continue
                }
                #expect(!error.description.contains("ana"))
            }
            #expect(server.requests.count == calls.count)
        }
    }

    @Test("a refusal with a page of any length has its status", arguments: [0, 1000, 3 << 20])
    func longRefusal(_ length: Int) async throws {
        let reply = StubServer.Reply(
            status: 403, headers: [Self.html], body: String(repeating: "<p>", count: length / 3))
        try await StubServer.with({ _, _ in reply }) { server in
            let error = try await #require(throws: ConsentLinkError.self) {
                _ = try await OrganizationAPI.quick(server.base).ledger()
            }
            #expect(error.problem?.status == 403)
            #expect(server.requests.count == 1)
        }
    }
}
