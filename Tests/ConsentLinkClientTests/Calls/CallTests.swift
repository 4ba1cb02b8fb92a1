import StubService
import Testing

@testable import ConsentLinkClient

/// A call, what it asks of the service, and an answer as the service gives it.
struct CallSample: Sendable, CustomTestStringConvertible {
    let line: String
    let body: String
    let answer: String
    /// Of an answer without a document it says that the service has done it.
    var status: Int { answer.isEmpty ? 204 : 200 }
    let hasIdempotencyKey: Bool
    /// The type of the body, where there is one.
    let sends: String
    /// The type that is asked for; `nil` where there is no choice.
    let accepts: String?
    let call: @Sendable (ConsentLinkAPI, OrganizationAPI) async throws -> Void

    init(
        _ line: String, _ body: String = "", _ answer: String, hasIdempotencyKey: Bool = false,
        sends: String = "application/json", accepts: String? = nil,
        _ call: @escaping @Sendable (ConsentLinkAPI, OrganizationAPI) async throws -> Void
    ) {
        self.line = line
        self.body = body
        self.answer = answer
        self.hasIdempotencyKey = hasIdempotencyKey
        self.sends = sends
        self.accepts = accepts
        self.call = call
    }

    var testDescription: String { line }

    /// Calls with one answer, which may be asked for again.
    static let all = organizations + people + asking + composing + reading + ledger + reports + operating + endpoints
    /// Those whose answers or bodies are streams, too.
    static let everything = all + streams
}

/// `#expect` alone in a closure does not let the closure throw.
func same<Value: Equatable>(_ value: Value, _ expected: Value) { #expect(value == expected) }

@Suite struct CallTests {
    @Test("a call asks what it should, and its answer is read", arguments: CallSample.everything)
    func calls(_ sample: CallSample) async throws {
        let type = sample.accepts ?? sample.sends
        let reply = StubServer.Reply(
            status: sample.status, headers: [("Content-Type", type)], body: sample.answer)
        try await StubServer.with({ _, _ in reply }) { server in
            let api = try ConsentLinkAPI.quick(server.base)
            try await sample.call(api, try api.organization("acme"))
            let request = try #require(server.requests.first)
            #expect(server.requests.count == 1)
            #expect(request.line == sample.line)
            #expect(request.body == sample.body)
            #expect(request.headers["authorization"] == "Bearer clk_secret")
            #expect(request.headers["content-type"] == (sample.body.isEmpty ? nil : sample.sends))
            #expect(request.headers["accept"] == sample.accepts)
            #expect((request.headers["idempotency-key"] != nil) == sample.hasIdempotencyKey)
        }
    }

    @Test("an id that would be another path is sent nowhere")
    func ids() async throws {
        try await StubServer.with({ _, _ in .json("{}") }) { server in
            let acme = try OrganizationAPI.quick(server.base)
            let calls: [@Sendable () async throws -> Void] = [
                { _ = try await acme.consentRequest("query/..") },
                { try await acme.deleteKey("../a") }, { _ = try await acme.message("") },
                { try await acme.disableMessage("a/b") }, { _ = try await acme.decision("a?b") },
                { _ = try await acme.proof(ofDecision: "a#b") }, { _ = try await acme.proof(ofConsent: "..") },
                { _ = try await acme.report(of: "a b") as MessageReport },
                { _ = try await acme.reportTable(of: "a%2Fb") }, { _ = try await acme.tile(level: 64, index: 0) },
            ]
            for call in calls { await #expect(throws: ConsentLinkError.self) { try await call() } }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("no description of a key that was made has its secret")
    func secrets() throws {
        let json = #"{"id":"k1","key":"clk_new","scopes":["read"],"name":"n"}"#
        let key = try WireCoding.decode(CreatedKey.self, from: Array(json.utf8))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(key.secret == "clk_new")
        #expect(!"\(key) \(String(reflecting: key)) \(dumped)".contains("clk_new"))
    }
}

/// All items of a list.
func items<Item>(_ list: ListedItems<Item>) async throws -> [Item] {
    var items: [Item] = []
    for try await item in list { items.append(item) }
    return items
}
