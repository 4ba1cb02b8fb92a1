import JSON
import NIOHTTP1
import Service
import StubService
import Testing

@testable import consentlink

@Suite struct APIClientTests {
    private func client(_ server: StubServer) throws -> APIClient {
        try APIClient(base: server.base, key: "clk_secret")
    }

    private func failure(
        _ reply: StubServer.Reply, robots: StubServer.Reply = .problem(404, "nothing here"), of what: String? = nil
    ) async throws -> String {
        try await StubServer.with({ request, _ in request.path == "/robots.txt" ? robots : reply }) { server in
            let failure = try await #require(throws: CommandFailure.self) {
                try await client(server).get("/v1/x", of: what, having: ["a", .list("b")])
            }
            #expect(failure.exitCode == ExitStatus.failed)
            return failure.description.replacing(server.base, with: "BASE")
        }
    }

    @Test("a request has the key, and a body is JSON")
    func requests() async throws {
        try await StubServer.with({ _, _ in .json(#"{"a":1}"#) }) { server in
            #expect(try await client(server).get("/v1/x", having: ["a"])["a"]?.text == "1")
            _ = try await client(server).post("/v1/y", having: []) { $0.member("b", "c") }
            _ = try await client(server).post("/v1/z", having: [])
            #expect(server.requests.map(\.line) == ["GET /v1/x", "POST /v1/y", "POST /v1/z"])
            #expect(server.requests.map(\.body) == ["", #"{"b":"c"}"#, "{}"])
            #expect(
                server.requests.map { $0.headers["authorization"] } == Array(repeating: "Bearer clk_secret", count: 3))
            #expect(
                server.requests.map { $0.headers["content-type"] } == [nil, "application/json", "application/json"])
        }
    }

    @Test(
        "an answer that lacks a member which the command shows is refused",
        arguments: [
            ("{}", "a"), (#"{"a":null,"b":[]}"#, "a"), (#"{"a":1}"#, "b"), (#"{"a":1,"b":{}}"#, "b"), ("[]", "a"),
        ])
    func members(_ document: String, _ missing: String) async throws {
        #expect(
            try await failure(.json(document))
                == "consentlink: the server at BASE is not a ConsentLink service: its answer has no \(missing)")
    }

    @Test("what has no document has its status alone", arguments: [200, 201, 202])
    func performed(_ status: Int) async throws {
        try await StubServer.with({ _, count in .init(status: count == 1 ? 204 : status) }) { server in
            let client = try client(server)
            try await client.perform(.DELETE, "/v1/x", of: "thing", inDoubt: "see")
            let failure = try await #require(throws: CommandFailure.self) {
                try await client.perform(.DELETE, "/v1/x", of: "thing", inDoubt: "It may be gone.")
            }
            #expect(
                failure.description
                    == """
                    consentlink: the answer of \(server.base) is not one of this service: its status is \(status), and not \
                    204
                    It may be gone.
                    """)
        }
    }

    @Test("where something may have been done all the same it is said what to look at")
    func doubt() async throws {
        let replies: [(StubServer.Reply, Bool)] = [
            (.init(isSilent: true), true), (.problem(500, "x"), true), (.problem(503, "x"), true),
            (.init(body: "{", breaksOff: true), true), (.init(body: "<html>"), true), (.json("{}"), true),
            (.problem(403, "x"), false), (.problem(429, "x"), false), (.json(#"{"id":1}"#), false),
        ]
        for (reply, isInDoubt) in replies {
            try await StubServer.with({ _, _ in reply }) { server in
                let text: String
                do {
                    text = "\(try await client(server).post("/v1/x", having: ["id"], inDoubt: "It may be made."))"
                } catch let failure as CommandFailure { text = failure.description }
                #expect(text.hasSuffix("\nIt may be made.") == isInDoubt, "\(text)")
            }
        }
        let nobody = try await #require(throws: CommandFailure.self) {
            let client = try APIClient(base: try await StubServer.nowhere(), key: "k")
            _ = try await client.post("/v1/x", having: ["id"], inDoubt: "It may be made.")
        }
        #expect(!nobody.description.contains("It may be made."))
    }

    @Test("a header that an option gives is told by the option")
    func accessReason() async throws {
        let looks = "This organization records every look at a recipient: "
        let detail = looks + "the header Access-Reason must say why, in 1 to 500 characters, percent-encoded."
        #expect(
            try await failure(.problem(422, detail))
                == "consentlink: \(looks)--access-reason must say why, in 1 to 500 characters.",
            "the command encodes the reason itself")
        let other = "Send it, percent-encoded."
        #expect(try await failure(.problem(422, other)) == "consentlink: \(other)")
    }

    @Test(
        "a refusal is said in the service's words",
        arguments: [
            (StubServer.Reply.problem(403, "the key has no such scope"), "the key has no such scope"),
            (.problem(422, "no", errors: #"[{"pointer":"/id","detail":"too long"}]"#), "no\n  /id too long"),
            (.problem(409, "a\\u001bb"), "a\\u{1B}b"),
            (.init(status: 500, body: "<html>"), "the service answered 500"),
            (.init(status: 302), "the service answered 302"),
            (.json("{}", status: 400), "the service answered 400"),
        ])
    func refusals(_ reply: StubServer.Reply, _ text: String) async throws {
        #expect(try await failure(reply, of: "thing") == "consentlink: \(text)")
    }

    @Test("a 404 says what is not there, and where the public listener was asked")
    func notFound() async throws {
        let reply = StubServer.Reply.problem(404, "nothing here")
        #expect(
            try await failure(reply, of: "organization a\u{1B}")
                == "consentlink: there is no organization a\\u{1B} at BASE")
        #expect(try await failure(reply) == "consentlink: nothing here")
        let robots = StubServer.Reply(body: "User-agent: *\nDisallow: /\n")
        #expect(
            try await failure(reply, robots: robots, of: "x").hasPrefix(
                "consentlink: BASE is the public listener of a service; --api needs its private one"))
    }

    @Test("what sends no JSON is no service of this kind")
    func otherServer() async throws {
        #expect(
            try await failure(.init(body: "<html>It works!"))
                == "consentlink: the server at BASE is not a ConsentLink service: it sends no JSON")
        #expect(
            try await failure(.init(status: 204))
                == "consentlink: the server at BASE is not a ConsentLink service: it sends no JSON")
    }

    @Test("who is not there, does not answer or breaks off is said in words")
    func unreachable() async throws {
        let base = try await StubServer.nowhere()
        let refused = try await #require(throws: CommandFailure.self) {
            try await APIClient(base: base, key: "k").get("/v1/x", having: [])
        }
        #expect(refused.description == "consentlink: cannot reach \(base): connection refused")
        #expect(try await failure(.init(isSilent: true)) == "consentlink: cannot reach BASE: the connection was closed")
        #expect(
            try await failure(.init(body: "{}", breaksOff: true)).hasPrefix("consentlink: cannot reach BASE: "))
    }

    @Test("a stream is handed on piece by piece, until no more is wanted")
    func stream() async throws {
        try await StubServer.with({ _, _ in .init(body: "one\ntwo\n") }) { server in
            var text = ""
            try await client(server).stream("/v1/q", of: "x", accept: "text/csv", { $0.member("a", "b") }) { piece in
                text += String(decoding: piece, as: UTF8.self)
                return true
            }
            #expect(text == "one\ntwo\n")
            #expect(server.requests.first?.headers["accept"] == "text/csv")
            #expect(server.requests.first?.body == #"{"a":"b"}"#)
            var count = 0
            try await client(server).stream("/v1/q", of: "x", accept: "text/csv", { _ in }) { _ in
                count += 1
                return false
            }
            #expect(count == 1)
        }
    }

    @Test("a stream that breaks off may be asked for again, a refused one may not")
    func brokenStream() async throws {
        for (reply, isTransient, text) in [
            (StubServer.Reply(body: "one\n", breaksOff: true), true, "broke off: "),
            (.problem(403, "no scope"), false, "consentlink: no scope"),
        ] {
            try await StubServer.with({ _, _ in reply }) { server in
                let failure = try await #require(throws: CommandFailure.self) {
                    try await client(server).stream("/v1/q", of: "x", accept: "text/csv", { _ in }) { _ in true }
                }
                #expect(failure.isTransient == isTransient)
                #expect(failure.description.contains(text))
            }
        }
    }

    @Test("what is thrown while a stream is taken is thrown as it is")
    func thrown() async throws {
        try await StubServer.with({ _, _ in .init(body: "one\n") }) { server in
            let failure = try await #require(throws: CommandFailure.self) {
                try await client(server).stream("/v1/q", of: "x", accept: "text/csv", { _ in }) { _ in
                    throw CommandFailure("the disk is full", exitCode: ExitStatus.usage)
                }
            }
            #expect(failure.description == "the disk is full")
            #expect(failure.exitCode == ExitStatus.usage)
        }
    }

    @Test("a probe gives whatever is answered, and nothing where nobody is")
    func probe() async throws {
        try await StubServer.with({ request, _ in .init(status: 503, body: request.path) }) { server in
            for base in [server.base, server.base + "/"] {
                let answer = try #require(try await HealthProbe(base: base).get("/readyz"))
                #expect((answer.status, answer.body) == (503, "/readyz"))
            }
        }
        let nobody = try await HealthProbe(base: StubServer.nowhere()).get("/readyz")
        #expect(nobody == nil)
        for base in ["", "nowhere", "ftp://host", "http://", "//host:1", "http://127.0.0.1:99999"] {
            let failure = try #require(throws: CommandFailure.self) { _ = try HealthProbe(base: base) }
            #expect(failure.exitCode == ExitStatus.usage)
        }
    }
}
