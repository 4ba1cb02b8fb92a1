import StubService
import Testing

@testable import ConsentLinkClient

/// The key goes to the service and nowhere else.
@Suite struct CredentialTests {
    @Test("what is made of a key shows nothing of it, nor of a request that is under way")
    func shown() async throws {
        var plan = LineService.Plan()
        plan.greeting = FeedTests.interaction(1) + "\n"
        plan.isSilent = true
        try await LineService.with(plan) { _, base in
            let api = try ConsentLinkAPI(base, key: "clk_secret")
            let acme = try api.organization("acme")
            var underWay = try acme.exportInteractions().makeAsyncIterator()
            _ = try await underWay.next()
            let order = PayloadOrder(.stored("m"), format: .plain)
            let values: [Any] = [
                api, api.transport, api.transport.credential, acme, acme.interactionFeed(), acme.decisions(),
                try acme.compose(order, forEach: ["ana"]), try acme.exportDecisions(), try acme.exportAudit(),
                acme.interactionFeed().makeAsyncIterator(),
            ]
            for value in values {
                var dumped = ""
                dump(value, to: &dumped)
                #expect(!"\(value) \(String(reflecting: value)) \(dumped)".contains("secret"))
            }
            withExtendedLifetime(underWay) {}
        }
    }

    @Test(
        "an address or a key that is refused is not repeated in the refusal",
        arguments: [("http://ana:secret@host", "k"), ("http://host/?key=secret", "k"), ("http://host", "secret\n")])
    func refused(_ url: String, _ key: String) throws {
        let error = try #require(throws: ConsentLinkError.self) { try ConsentLinkAPI(url, key: key) }
        #expect(!"\(error) \(String(reflecting: error))".contains("secret"))
    }

    @Test("a redirect is a refusal: neither key nor recipient goes elsewhere", arguments: [301, 302, 303, 307, 308])
    func redirect(_ status: Int) async throws {
        try await StubServer.with({ _, _ in .json("{}") }) { elsewhere in
            let reply = StubServer.Reply(status: status, headers: [("Location", elsewhere.base + "/v1/orgs")])
            try await StubServer.with({ _, _ in reply }) { server in
                let acme = try OrganizationAPI.quick(server.base)
                let calls: [@Sendable () async throws -> Void] = [
                    { _ = try await acme.ledger() },
                    { try await acme.record([NewConsent(recipient: "ana", state: .given)]) },
                    { for try await _ in try acme.exportInteractions() {} },
                    {
                        let order = PayloadOrder(.stored("m"), format: .plain)
                        for try await _ in try acme.compose(order, forEach: ["ana"]) {}
                    },
                ]
                for call in calls {
                    let error = await #expect(throws: ConsentLinkError.self) { try await call() }
                    #expect(error?.problem?.status == status)
                    #expect(!"\(String(reflecting: error))".contains("secret"))
                }
                #expect(server.requests.count == calls.count)
                #expect(elsewhere.requests.isEmpty)
            }
        }
    }
}
