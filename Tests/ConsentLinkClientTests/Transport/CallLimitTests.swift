import StubService
import Synchronization
import Testing

@testable import ConsentLinkClient

/// How long a call may take.
@Suite(.timeLimit(.minutes(1))) struct CallLimitTests {
    /// Calls whose work grows with what is stored, selected or sent.
    private static let long: Set<String> = [
        "POST /v1/orgs/acme/recipients/erase", "POST /v1/orgs/acme/recipients/export",
        "GET /v1/orgs/acme/messages/m1/report", "GET /v1/orgs/acme/report", "GET /v1/orgs/acme/consent-report",
        "GET /v1/orgs/acme/decisions/summary", "GET /v1/orgs/acme/decisions/sample",
        "POST /v1/orgs/acme/decisions/query", "POST /v1/orgs/acme/interactions/query",
        "POST /v1/orgs/acme/accesses/query", "POST /v1/orgs/acme/consents", "POST /v1/orgs/acme/payloads",
        "POST /v1/orgs/acme/audits",
    ]

    private static func patience(of sample: CallSample) -> Duration {
        // The feed of consents as a stream; its pages have a limit.
        if sample.accepts == "application/x-ndjson", sample.line.hasPrefix("GET") { return .seconds(600) }
        if sample.line == "POST /v1/backup" { return .seconds(86_400) }
        let isLong = sample.line.split(separator: "?").first.map { long.contains(String($0)) } ?? false
        return .seconds(isLong ? 600 : 60)
    }

    /// The patience of each try of `sample` at a service that answers as it should.
    private func patiences(
        _ sample: CallSample, _ prepare: (ConsentLinkAPI) throws -> ConsentLinkAPI
    ) async throws -> [Duration] {
        let type = sample.accepts ?? sample.sends
        let reply = StubServer.Reply(status: sample.status, headers: [("Content-Type", type)], body: sample.answer)
        let noted = Mutex<[Duration]>([])
        try await StubServer.with({ _, _ in reply }) { server in
            var transport = try prepare(ConsentLinkAPI.quick(server.base)).transport
            transport.note = { request in noted.withLock { $0.append(request.patience) } }
            let api = ConsentLinkAPI(transport)
            try await sample.call(api, try api.organization("acme"))
        }
        return noted.withLock { $0 }
    }

    /// Lines that are sent have a patience of their own.
    private static let limited = CallSample.everything.filter { $0.sends == "application/json" }

    @Test("each kind of call has its time", arguments: limited)
    func kinds(_ sample: CallSample) async throws {
        #expect(try await patiences(sample) { $0 } == [Self.patience(of: sample)])
    }

    @Test("a limit holds for every call, be it shorter or longer than the usual time", arguments: limited)
    func limits(_ sample: CallSample) async throws {
        for limit in [Duration.seconds(50), .seconds(100_000)] {
            let patiences = try await patiences(sample) { try $0.waiting(atMost: limit) }
            #expect(patiences.count == 1)
            let wait = Duration.seconds(sample.line.contains("wait=20") ? 20 : 0)
            // The time until the try began is taken off.
            #expect(patiences.allSatisfy { $0 <= limit + wait && $0 > limit + wait - .seconds(49) })
        }
    }

    @Test("a call whose time has passed is not made again, though it could be")
    func silent() async throws {
        try await StubServer.with({ _, _ in .init(body: "{", stalls: true) }) { server in
            let acme = try OrganizationAPI.quick(server.base).waiting(atMost: .milliseconds(300))
            let error = await #expect(throws: ConsentLinkError.self) { _ = try await acme.ledger() }
            #expect(error == .unreachable(reason: "no answer in time"))
            #expect(error?.mayHaveBeenDone == true)
            #expect(server.requests.count <= 1)
        }
    }

    @Test("a call that would have to pause longer than it has time throws the refusal at once")
    func noTimeToPause() async throws {
        let busy = StubServer.Reply(status: 503, headers: [("Retry-After", "7")])
        try await StubServer.with({ _, _ in busy }) { server in
            let pauser = Pauser()
            let acme = try OrganizationAPI.quick(server.base, pauser).waiting(atMost: .seconds(10))
            let error = await #expect(throws: ConsentLinkError.self) { _ = try await acme.ledger() }
            #expect(error?.problem?.retryAfter == .seconds(7))
            #expect((server.requests.count, pauser.pauses.count) == (1, 0))
        }
    }

    @Test("within its time a call is made again")
    func retries() async throws {
        try await StubServer.with({ _, _ in .init(status: 503) }) { server in
            let acme = try OrganizationAPI.quick(server.base).waiting(atMost: .seconds(50))
            await #expect(throws: ConsentLinkError.self) { _ = try await acme.ledger() }
            #expect(server.requests.count == 5)
        }
    }

    @Test("a backup has the time that is given for it, also where every call has a limit")
    func backup() async throws {
        let time = "2026-11-20T09:00:00.000Z"
        let made = #"{"folder":"f","startedAt":"\#(time)","finishedAt":"\#(time)","includesDatabase":true,"files":[]}"#
        let noted = Mutex<[Duration]>([])
        try await StubServer.with({ _, _ in .json(made) }) { server in
            var transport = try ConsentLinkAPI.quick(server.base).waiting(atMost: .seconds(60)).transport
            transport.note = { request in noted.withLock { $0.append(request.patience) } }
            _ = try await ConsentLinkAPI(transport).backUp(within: .seconds(1000))
        }
        #expect(noted.withLock { $0.allSatisfy { $0 > .seconds(900) && $0 <= .seconds(1000) } && $0.count == 1 })
    }

    @Test("a limit stays when a reason is given, and a reason when a limit is set")
    func bothCopies() throws {
        let acme = try ConsentLinkAPI("http://h", key: "k").organization("acme")
        let copies = [
            try acme.waiting(atMost: .seconds(5)).giving(reason: "r"),
            try acme.giving(reason: "r").waiting(atMost: .seconds(5)),
        ]
        for copy in copies {
            #expect((copy.transport.limit, copy.transport.accessReason) == (.seconds(5), "r"))
            #expect(copy.path == acme.path && copy.id == acme.id)
        }
    }

    @Test("a limit that leaves no time is refused", arguments: [Duration.zero, .seconds(-1)])
    func none(_ limit: Duration) throws {
        let api = try ConsentLinkAPI("http://h", key: "k")
        #expect(throws: ConsentLinkError.self) { _ = try api.waiting(atMost: limit) }
        #expect(throws: ConsentLinkError.self) { _ = try api.organization("acme").waiting(atMost: limit) }
    }
}
