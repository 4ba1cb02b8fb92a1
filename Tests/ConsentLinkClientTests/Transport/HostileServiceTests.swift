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

    @Test("an answer that is too long to be one is said to be so, and not asked for again")
    func tooLong() async throws {
        try await StubServer.with({ _, _ in .json(String(repeating: "[", count: 1001)) }) { server in
            var transport = try ConsentLinkAPI.quick(server.base).transport
            transport.maximumAnswerSize = 1000
            let acme = try ConsentLinkAPI(transport).organization("acme")
            await #expect(throws: ConsentLinkError.unexpectedAnswer("it is too long")) { _ = try await acme.ledger() }
            #expect(server.requests.count == 1)
        }
    }

    /// Leads back to itself, with or without an item of a list.
    private static func page(of line: String, hasItems: Bool) -> StubServer.Reply {
        let lists = ["interactions", "changes", "decisions"]
        let interaction = hasItems && line.contains("interactions") ? FeedTests.interaction(1) : ""
        let members = lists.map { #""\#($0)":[\#($0 == "interactions" ? interaction : "")]"# }
        return .json(#"{\#(members.joined(separator: ",")),"cursor":"c","next":"c"}"#)
    }

    @Test(
        "pages that lead back to themselves are not read for ever", .timeLimit(.minutes(1)), arguments: [false, true])
    func standingStill(_ hasItems: Bool) async throws {
        let answer: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            Self.page(of: request.line, hasItems: hasItems)
        }
        try await StubServer.with(answer) { server in
            let acme = try OrganizationAPI.quick(server.base)
            let readings: [@Sendable () async throws -> Void] = [
                { for try await _ in acme.interactionFeed() {} },
                { for try await _ in acme.interactionFeed(following: .zero) {} },
                { for try await _ in acme.consentFeed() {} }, { for try await _ in acme.decisions() {} },
            ]
            for reading in readings {
                await #expect(
                    throws: ConsentLinkError.unexpectedAnswer("a list goes on with the page that it gave")
                ) { try await reading() }
            }
            #expect(server.requests.count == 2 * readings.count)
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
