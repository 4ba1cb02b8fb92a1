import Foundation
import StubService
import Testing

@testable import ConsentLinkClient

/// What is sent again, and what is not.
@Suite struct RepetitionTests {
    /// How often a request is sent whose first answer is `reply`, and whose others are those of `CallSample`.
    private func count(_ reply: StubServer.Reply, _ sample: CallSample) async throws -> Int {
        try await StubServer.with({ _, count in count == 1 ? reply : .json(sample.answer, status: sample.status) }) {
            server in
            let api = try ConsentLinkAPI.quick(server.base)
            try? await sample.call(api, try api.organization("acme"))
            return server.requests.count
        }
    }

    /// Calls that do more when they are done twice.
    private static let making: Set<String> = [
        "POST /v1/orgs", "POST /v1/orgs/acme/keys", "POST /v1/keyring/rotate", "POST /v1/backup",
        "POST /v1/orgs/acme/endpoints", "POST /v1/orgs/acme/endpoints/e1/secret",
        "POST /v1/orgs/acme/endpoints/e1/test", "POST /v1/console/sign-in-links",
    ]
    /// Calls that say, when they are done twice, that there is nothing to do.
    private static let ending: Set<String> = [
        "DELETE /v1/orgs/acme/keys/k1", "POST /v1/orgs/acme/recipients/erase", "POST /v1/keyring/1/retire",
        "DELETE /v1/nodes/n?force=true", "DELETE /v1/orgs/acme/endpoints/e1",
    ]

    @Test("a call whose answer is lost is made again only if twice is as good as once", arguments: CallSample.all)
    func lost(_ sample: CallSample) async throws {
        let isRepeated = !Self.making.union(Self.ending).contains(sample.line)
        for reply in [StubServer.Reply(isSilent: true), .init(body: "{", breaksOff: true), .init(status: 504)] {
            #expect(try await count(reply, sample) == (isRepeated ? 2 : 1))
        }
    }

    /// Where 409 may be the last word, although there is an Idempotency-Key: a recipient must be left alone.
    private static let asking = "POST /v1/orgs/acme/consent-requests"

    @Test("409 says \"still running\" to who has an Idempotency-Key, and to others \"no\"", arguments: CallSample.all)
    func conflict(_ sample: CallSample) async throws {
        let isRepeated = sample.hasIdempotencyKey && sample.line != Self.asking
        #expect(try await count(.problem(409, "x"), sample) == (isRepeated ? 2 : 1))
    }

    @Test("409 that says when to come back is \"still running\" wherever there is a key", arguments: CallSample.all)
    func stillRunning(_ sample: CallSample) async throws {
        var reply = StubServer.Reply.problem(409, "x")
        reply.headers.append(("Retry-After", "1"))
        #expect(try await count(reply, sample) == (sample.hasIdempotencyKey ? 2 : 1))
    }

    @Test("a service that has done nothing is asked again, whatever the call is", arguments: CallSample.all)
    func tooMany(_ sample: CallSample) async throws {
        #expect(try await count(.problem(429, "x"), sample) == 2)
    }

    @Test("a service that cannot just now is asked again unless twice makes two", arguments: CallSample.all)
    func unavailable(_ sample: CallSample) async throws {
        let isRepeated = !Self.making.contains(sample.line)
        #expect(try await count(.problem(503, "x"), sample) == (isRepeated ? 2 : 1))
    }

    @Test("every call that is told apart here is one of the client's")
    func known() {
        #expect(Self.making.union(Self.ending).isSubset(of: Set(CallSample.all.map(\.line))))
    }

    @Test("an error says whether what was asked for may have been done")
    func doubt() throws {
        for status in [400, 401, 404, 409, 422, 429] {
            #expect(!ConsentLinkError.refused(Problem(status: status, detail: "x")).mayHaveBeenDone)
        }
        for status in [500, 502, 503, 504] {
            #expect(ConsentLinkError.refused(Problem(status: status, detail: "x")).mayHaveBeenDone)
        }
        #expect(!ConsentLinkError.notConnected(reason: "x").mayHaveBeenDone)
        #expect(ConsentLinkError.unreachable(reason: "x").mayHaveBeenDone)
        #expect(ConsentLinkError.brokenOff(reason: "x").mayHaveBeenDone)
        #expect(ConsentLinkError.unexpectedAnswer("x").mayHaveBeenDone)
        #expect(!ConsentLinkError.invalidArgument("x").mayHaveBeenDone)
    }

    @Test(
        "an error of the last try says what an earlier one may have done",
        arguments: [
            (StubServer.Reply(isSilent: true), 409, true), (.init(isSilent: true), 429, true),
            (.problem(503, "x"), 422, true), (.problem(429, "x"), 429, false), (.problem(429, "x"), 422, false),
            (.problem(429, "x"), 409, true),
        ])
    func earlierDoubt(_ first: StubServer.Reply, _ last: Int, _ mayBeDone: Bool) async throws {
        try await StubServer.with({ _, count in count == 1 ? first : .problem(last, "x") }) { server in
            let error = try await #require(throws: ConsentLinkError.self) {
                try await OrganizationAPI.quick(server.base).record([NewConsent(recipient: "ana", state: .given)])
            }
            #expect(error.problem?.status == last)
            #expect(error.mayHaveBeenDone == mayBeDone)
        }
    }

    @Test("a service that was not there has done nothing")
    func notThere() async throws {
        let error = try await #require(throws: ConsentLinkError.self) {
            _ = try await OrganizationAPI.quick(try await StubServer.nowhere()).ledger()
        }
        #expect(error == .notConnected(reason: "connection refused"))
        #expect(!error.mayHaveBeenDone)
        try await StubServer.with({ _, _ in .init(isSilent: true) }) { server in
            let error = try await #require(throws: ConsentLinkError.self) {
                _ = try await OrganizationAPI.quick(server.base).ledger()
            }
            #expect(error.mayHaveBeenDone)
        }
    }

    @Test("a call that gets no connection is sent again, whatever the call is", arguments: CallSample.all)
    func noConnection(_ sample: CallSample) async throws {
        let pauser = Pauser()
        // Nothing listens at this port (tcpmux). The port of a server that is gone may soon be of another test.
        let api = try ConsentLinkAPI.quick("http://127.0.0.1:1", pauser)
        await #expect(throws: ConsentLinkError.notConnected(reason: "connection refused")) {
            try await sample.call(api, try api.organization("acme"))
        }
        #expect(pauser.pauses.count == 4)
    }

    @Test("a call that an earlier try may have carried out is not made again because a connection is missing")
    func noConnectionAfterDoubt() async throws {
        try await StubServer.with({ _, _ in .problem(503, "x") }) { server in
            let pauser = Pauser()
            var transport = try ConsentLinkAPI.quick(server.base).transport
            transport.pause = { pause in
                try pauser.note(pause)
                await server.stop()
            }
            let acme = try ConsentLinkAPI(transport).organization("acme")
            await #expect(throws: ConsentLinkError.unreachable(reason: "connection refused")) {
                try await acme.erase("ana")
            }
            #expect((server.requests.count, pauser.pauses.count) == (1, 1))
        }
    }

    @Test("a handshake that fails is no connection, and its reason names no file of a build")
    func handshake() async throws {
        try await StubServer.with({ _, _ in .json("{}") }) { server in
            let api = try ConsentLinkAPI.quick(server.base.replacing("http:", with: "https:"), Pauser(), .never)
            let error = await #expect(throws: ConsentLinkError.self) { _ = try await api.organization("acme").ledger() }
            #expect(error == .notConnected(reason: "the TLS handshake failed"))
            #expect(error?.mayHaveBeenDone == false && server.requests.isEmpty)
        }
    }

    @Test("a service that is gone at the second try may have done it at the first")
    func goneAfterwards() {
        let error = ConsentLinkError.notConnected(reason: "x").withDoubt
        #expect(error == .unreachable(reason: "x") && error.mayHaveBeenDone)
    }

    /// How a service says when to come back.
    enum Word: Sendable {
        case text(String)
        /// In seconds from now, as a date.
        case date(TimeInterval)

        var header: String {
            guard case .date(let seconds) = self else {
                if case .text(let text) = self { return text } else { return "" }
            }
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return format.string(from: Date(timeIntervalSinceNow: seconds))
        }
    }

    @Test(
        "a word that is no time, or a time that is over, delays nothing",
        arguments: [.text("soon"), .text(""), .text("-7"), .text("1e3"), .text("0x10"), .date(-3600)] as [Word])
    func nonsense(_ word: Word) async throws {
        let busy = StubServer.Reply(status: 503, headers: [("Retry-After", word.header)])
        let pauser = Pauser()
        let error = try await failure(busy, pauser)
        #expect(error.problem?.status == 503)
        #expect(pauser.pauses.count == 4)
        #expect(pauser.pauses.allSatisfy { $0 >= .zero && $0 <= .milliseconds(3200) })
    }

    @Test("a moment is compared with the date of the answer, and not with the clock of this machine")
    func otherClock() async throws {
        let busy = StubServer.Reply(
            status: 503,
            headers: [
                ("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:49:44 GMT"),
            ])
        let pauser = Pauser()
        let error = try await failure(busy, pauser)
        #expect(error.problem?.retryAfter == .seconds(7))
        #expect(pauser.pauses.count == 4 && pauser.pauses.allSatisfy { $0 >= .seconds(7) })
    }

    @Test(
        "a time beyond the longest pause is told and not waited for",
        arguments: [.text("31"), .date(3600), .text("99999999999"), .date(400 * 86_400)] as [Word])
    func tooLate(_ word: Word) async throws {
        let pauser = Pauser()
        let busy = StubServer.Reply(status: 429, headers: [("Retry-After", word.header)])
        let error = try await failure(busy, pauser)
        #expect(try #require(error.problem?.retryAfter) > .seconds(30))
        #expect(pauser.pauses.isEmpty)
    }

    @Test("a call is made as often as its policy says and once at least", arguments: [-1, 0, 1, 2, 7])
    func bounds(_ attempts: Int) async throws {
        for reply in [StubServer.Reply(isSilent: true), .problem(503, "x"), .problem(409, "x"), .init(status: 502)] {
            try await StubServer.with({ _, _ in reply }) { server in
                let policy = RetryPolicy(attempts: attempts)
                let acme = try ConsentLinkAPI.quick(server.base, Pauser(), policy).organization("acme")
                await #expect(throws: ConsentLinkError.self) {
                    try await acme.record([NewConsent(recipient: "ana", state: .given)])
                }
                #expect(server.requests.count == max(attempts, 1))
            }
        }
    }

    private func failure(_ reply: StubServer.Reply, _ pauser: Pauser) async throws -> ConsentLinkError {
        try await StubServer.with({ _, _ in reply }) { server in
            try await #require(throws: ConsentLinkError.self) {
                _ = try await OrganizationAPI.quick(server.base, pauser).ledger()
            }
        }
    }
}
