import StubService
import Synchronization
import Testing

@testable import ConsentLinkClient

@Suite struct TransportTests {
    private static let recorded = StubServer.Reply.json(
        #"{"consents":[{"id":"1","recipient":"ana","purpose":"tracking","state":"given","#
            + #""occurredAt":"2026-11-20T09:00:00.000Z","recordedAt":"2026-11-20T09:00:00.000Z"}]}"#, status: 201)
    private static let ledger = StubServer.Reply.json(
        #"{"origin":"o","size":1,"root":"r","verifierKey":"k","closed":null}"#)
    private static let made = StubServer.Reply.json(
        #"{"id":"k1","key":"clk_new","scopes":["read"],"name":"n"}"#, status: 201)

    /// How a call ends that is answered with `replies`, the last of them again and again.
    private func outcome(
        _ replies: [StubServer.Reply], _ call: (OrganizationAPI) async throws -> Void
    ) async throws -> (error: ConsentLinkError?, requests: [StubServer.Request], pauses: [Duration]) {
        try await StubServer.with({ _, count in replies[min(count, replies.count) - 1] }) { server in
            let pauser = Pauser()
            var error: ConsentLinkError?
            do { try await call(.quick(server.base, pauser)) } catch let thrown as ConsentLinkError { error = thrown }
            return (error, server.requests, pauser.pauses)
        }
    }

    private func record(_ acme: OrganizationAPI) async throws {
        try await acme.record([NewConsent(recipient: "ana", state: .given)])
    }
    private func read(_ acme: OrganizationAPI) async throws { _ = try await acme.ledger() }
    private func createKey(_ acme: OrganizationAPI) async throws { _ = try await acme.createKey(scopes: [.read]) }

    @Test("what has an Idempotency-Key is tried again as the same request, whatever went wrong")
    func repeated() async throws {
        let busy = StubServer.Reply(status: 503, headers: [("Retry-After", "7")])
        let broken = StubServer.Reply(body: "{", breaksOff: true)
        let (error, requests, pauses) = try await outcome(
            [.init(isSilent: true), .problem(409, "still running"), busy, broken, Self.recorded], record)
        #expect(error == nil)
        #expect(requests.count == 5)
        #expect(Set(requests.map(\.body)) == [#"[{"recipient":"ana","state":"given"}]"#])
        let keys = Set(requests.map { $0.headers["idempotency-key"] ?? "" })
        #expect(keys.count == 1)
        #expect(keys.first?.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
        #expect(pauses.count == 4)
        #expect(pauses[2] >= .seconds(7))
    }

    @Test("a refusal whose document breaks off is still that refusal")
    func brokenRefusal() async throws {
        let (error, requests, _) = try await outcome([.init(status: 403, body: "{", breaksOff: true)], record)
        #expect(error?.problem?.status == 403)
        #expect(error?.mayHaveBeenDone == false)
        #expect(requests.count == 1)
    }

    @Test("two calls are two requests")
    func twoCalls() async throws {
        let (_, requests, _) = try await outcome([Self.recorded]) { acme in
            try await record(acme)
            try await record(acme)
        }
        #expect(Set(requests.map { $0.headers["idempotency-key"] }).count == 2)
    }

    @Test("a key of the caller's own is sent as it is")
    func ownKey() async throws {
        let (_, requests, _) = try await outcome([Self.recorded]) { acme in
            try await acme.record([NewConsent(recipient: "ana", state: .given)], idempotencyKey: "import-7")
        }
        #expect(requests.map { $0.headers["idempotency-key"] } == ["\"import-7\""])
    }

    @Test(
        "reading is tried again after a lost connection and a proxy's fault", arguments: [0, 500, 502, 504, 503, 429])
    func reading(_ status: Int) async throws {
        let fault = status == 0 ? StubServer.Reply(isSilent: true) : StubServer.Reply(status: status)
        let (error, requests, _) = try await outcome([fault, Self.ledger], read)
        #expect(error == nil)
        #expect(requests.map(\.line) == ["GET /v1/orgs/acme/ledger", "GET /v1/orgs/acme/ledger"])
    }

    @Test("what makes something each time is tried again only when the service says that it did nothing")
    func making() async throws {
        let (error, requests, _) = try await outcome([.problem(429, "not now"), Self.made], createKey)
        #expect(error == nil)
        #expect(requests.count == 2)
        for reply in [StubServer.Reply(isSilent: true), .problem(503, "x"), .init(status: 502), .init(status: 409)] {
            let (error, requests, pauses) = try await outcome([reply, Self.made], createKey)
            #expect(error != nil)
            #expect((requests.count, pauses.count) == (1, 0))
        }
    }

    @Test("what an earlier try has deleted is said to be gone")
    func deleting() async throws {
        let (error, requests, _) = try await outcome([.problem(503, "x"), .problem(404, "gone")]) { acme in
            try await acme.deleteKey("k1")
        }
        #expect(error?.problem?.status == 404)
        #expect(requests.count == 2)
    }

    @Test("what is wrong is asked once", arguments: [400, 401, 403, 404, 413, 415, 422])
    func once(_ status: Int) async throws {
        let (error, requests, _) = try await outcome([.problem(status, "no")], record)
        #expect(error?.problem?.status == status)
        #expect(requests.count == 1)
    }

    @Test("after the last attempt the service's word is thrown", arguments: [503, 429])
    func exhausted(_ status: Int) async throws {
        let (error, requests, pauses) = try await outcome([.problem(status, "no room")], record)
        #expect(error?.problem?.detail == "no room")
        #expect((requests.count, pauses.count) == (5, 4))
    }

    @Test("a service that asks for a longer pause than the longest is not asked again")
    func longPause() async throws {
        let reply = StubServer.Reply(status: 503, headers: [("Retry-After", "3600")])
        let (error, requests, _) = try await outcome([reply], record)
        #expect(error?.problem?.retryAfter == .seconds(3600))
        #expect(requests.count == 1)
    }

    @Test("a refusal is the problem document, and says its request")
    func problem() async throws {
        let reply = StubServer.Reply(
            status: 422, headers: [("X-Request-Id", "r1")],
            body:
                #"{"title":"t","status":422,"detail":"no","errors":[{"pointer":"/a","detail":"x"}],"errorsOmitted":9}"#)
        let (error, _, _) = try await outcome([reply], record)
        let problem = try #require(error?.problem)
        #expect((problem.status, problem.title, problem.detail, problem.requestID) == (422, "t", "no", "r1"))
        #expect(problem.errors.map(\.pointer) == ["/a"])
        #expect(
            error?.description == "the service refused: 422: no (request r1)\n  /a x\n  and 9 more")
    }

    @Test("no description has the key or the recipient")
    func discreet() async throws {
        for reply in [StubServer.Reply(isSilent: true), .init(status: 500), .problem(422, "no"), .json("{}")] {
            let (error, _, _) = try await outcome([reply], record)
            let text = try #require(error).description
            #expect(!text.contains("clk_") && !text.contains("ana"))
        }
        let api = try ConsentLinkAPI("http://127.0.0.1:1", key: "clk_secret")
        var dumped = ""
        dump(api, to: &dumped)
        #expect(!"\(api) \(String(reflecting: api)) \(dumped)".contains("secret"))
    }

    @Test("a cancelled call says that it was cancelled")
    func cancelled() async throws {
        try await StubServer.with({ _, _ in .problem(503, "no") }) { server in
            let api = try ConsentLinkAPI(server.base, key: "k", retries: RetryPolicy(maximumPause: .seconds(3600)))
            let call = Task { try await api.organization("acme").ledger() }
            call.cancel()
            await #expect(throws: CancellationError.self) { _ = try await call.value }
        }
    }

    @Test(
        "an address that is none is refused",
        arguments: [
            "", "nowhere", "ftp://host", "http://", "//host:1", "http://host/?a=b", "http://host/#a",
            "http://user@host/",
        ])
    func address(_ url: String) {
        #expect(throws: ConsentLinkError.self) { try ConsentLinkAPI(url, key: "k") }
    }

    @Test("a key that would be another header is refused", arguments: ["", "a b", "a\r\nX: y", "é"])
    func key(_ key: String) {
        #expect(throws: ConsentLinkError.self) { try ConsentLinkAPI("http://host", key: key) }
    }

    @Test("an id that would be another path is refused", arguments: ["", ".", "..", "a/b", "a?b", "a#b", "a%2Fb", "é"])
    func segments(_ id: String) throws {
        let api = try ConsentLinkAPI("http://host/", key: "k")
        #expect(throws: ConsentLinkError.self) { try api.organization(id) }
        #expect(api.transport.base == "http://host")
    }
}
