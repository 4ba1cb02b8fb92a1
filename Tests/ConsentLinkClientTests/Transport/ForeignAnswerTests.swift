import StubService
import Testing

@testable import ConsentLinkClient

/// What stands between a client and the service, or in its place, and answers 2xx to everything.
@Suite struct ForeignAnswerTests {
    private static let calls: [@Sendable (ConsentLinkAPI, OrganizationAPI) async throws -> Void] = [
        { try await $1.deleteKey("k1") }, { api, _ in try await api.retireSigningKey(1) },
        { api, _ in try await api.removeNode("n") }, { try await $1.removeEndpoint("e1") },
        { api, _ in try await api.checkReady() }, { api, _ in try await api.checkAlive() },
    ]

    @Test(
        "what is done without a document is not taken for done by any 2xx",
        arguments: [
            StubServer.Reply(headers: [("Content-Type", "text/html")], body: "<html>It works!"), .json("{}"),
            .init(status: 202), .json("[]", status: 201), .init(),
        ])
    func anything(_ reply: StubServer.Reply) async throws {
        try await StubServer.with({ _, _ in reply }) { server in
            let api = try ConsentLinkAPI.quick(server.base)
            let acme = try api.organization("acme")
            for call in Self.calls {
                let error = try await #require(throws: ConsentLinkError.self) { try await call(api, acme) }
                guard case .unexpectedAnswer = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(error.mayHaveBeenDone)
            }
            #expect(server.requests.count == Self.calls.count, "nothing is asked again")
        }
    }

    @Test("a page without a type is no list, no archive and no answer to lines")
    func untyped() async throws {
        let page = StubServer.Reply(isUntyped: true, body: "<html>It works!</html>\n")
        try await StubServer.with({ _, _ in page }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            let order = PayloadOrder(Message(name: "sale"), format: .plain)
            let streams: [@Sendable () async throws -> Void] = [
                { for try await _ in try acme.exportDecisions() {} }, { for try await _ in try acme.exportAudit() {} },
                { for try await _ in try acme.compose(order, forEach: ["ana"]) {} },
            ]
            for stream in streams {
                await #expect(throws: ConsentLinkError.unexpectedAnswer("it has no Content-Type")) {
                    try await stream()
                }
            }
        }
    }

    @Test("a page is no proof, no checkpoint, no tile, no table and no figures")
    func page() async throws {
        let page = StubServer.Reply(
            headers: [("Content-Type", "Text/HTML; charset=utf-8")], body: String(repeating: "<html>", count: 2048))
        let calls: [@Sendable (ConsentLinkAPI, OrganizationAPI) async throws -> Void] = [
            { _ = try await $1.proof(ofDecision: "d") }, { _ = try await $1.checkpoint() },
            { _ = try await $1.tile(level: 0, index: 0) }, { _ = try await $1.ledgerEntries(ofTile: 0) },
            { _ = try await $1.consentReportTable() }, { api, _ in _ = try await api.metrics() },
        ]
        try await StubServer.with({ _, _ in page }) { server in
            let api = try ConsentLinkAPI.quick(server.base)
            let acme = try api.organization("acme")
            for call in calls {
                let error = try await #require(throws: ConsentLinkError.self) { try await call(api, acme) }
                guard case .unexpectedAnswer = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
            #expect(server.requests.count == calls.count, "nothing is asked again")
        }
    }

    @Test(
        "an answer about more or fewer than were sent is none, and may have been preceded by the work",
        arguments: [
            #"{"consents":[],"message":"m","payloads":[]}"#, #"{"consents":-1,"decisions":0,"interactions":0}"#,
            #"{"consents":0,"decisions":0,"interactions":-1}"#,
        ])
    func otherCount(_ body: String) async throws {
        let order = PayloadOrder(.stored("m"), format: .plain)
        let calls: [@Sendable (OrganizationAPI) async throws -> Void] = [
            { _ = try await $0.record([NewConsent(recipient: "ana", state: .given)]) },
            { _ = try await $0.compose(order, for: ["ana"]) }, { _ = try await $0.preview(order, for: ["ana"]) },
            { _ = try await $0.erase("ana") },
        ]
        try await StubServer.with({ _, _ in .json(body) }) { server in
            for call in calls {
                let acme = try OrganizationAPI.quick(server.base)
                let error = try await #require(throws: ConsentLinkError.self) { try await call(acme) }
                guard case .unexpectedAnswer = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(error.mayHaveBeenDone)
            }
            #expect(server.requests.count == calls.count, "nothing is asked again")
        }
    }

    @Test("a stream is no stream without its status")
    func stream() async throws {
        try await StubServer.with({ _, _ in .init(status: 204) }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            await #expect(throws: ConsentLinkError.unexpectedAnswer("its status is 204, and not 200")) {
                for try await _ in try acme.exportDecisions() {}
            }
        }
    }

    @Test("what ends with its connection is no table, no list and no archive: a part of it would look whole")
    func unframed() async throws {
        let calls: [@Sendable (OrganizationAPI) async throws -> Void] = [
            { _ = try await $0.reportTable() }, { _ = try await $0.consentReportTable() },
            { for try await _ in try $0.exportDecisions() {} }, { for try await _ in try $0.exportInteractions() {} },
            { for try await _ in $0.exportConsentChanges() {} }, { for try await _ in try $0.exportDecisionTable() {} },
            { for try await _ in try $0.exportAudit() {} },
        ]
        var reply = StubServer.Reply()
        reply.isUnframed = true
        try await StubServer.with({ [reply] _, _ in reply }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            for call in calls {
                await #expect(
                    throws: ConsentLinkError.unexpectedAnswer(
                        "it has neither a length nor chunks, so a part of it would look whole")
                ) { try await call(acme) }
            }
            #expect(server.requests.count == calls.count, "nothing is asked again")
        }
    }

    @Test("a document that ends with its connection is read: a part of it is none")
    func unframedDocument() async throws {
        var reply = StubServer.Reply.json(#"{"origin":"o","size":1,"root":"r","verifierKey":"k","closed":null}"#)
        reply.isUnframed = true
        try await StubServer.with({ [reply] _, _ in reply }) { server in
            let ledger = try await OrganizationAPI.quick(server.base).ledger()
            #expect(ledger.size == 1)
        }
    }
}
