import JSON
import Ledger
import LedgerSamples
import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct AuditCommandTests {
    private static let noRobots = StubServer.Reply.problem(404, "nothing here")

    @Test("decisions are listed as lines, filtered as was said")
    func query() async throws {
        let lines = "{\"id\":\"1\"}\n{\"id\":\"2\"}\n{\"id\":\"3\"}\n"
        try await StubServer.with({ _, _ in .init(body: lines) }) { server in
            let all = try await CommandRun.of("audit", "--org", "acme", at: server)
            #expect((all.status, all.output, all.errors) == (0, lines, ""))
            let some = try await CommandRun.of(
                "audit", "--org", "acme", "--outcome", "tracked", "--reason", "consentGiven", "--limit", "2", at: server
            )
            #expect(some.output == "{\"id\":\"1\"}\n{\"id\":\"2\"}\n")
            #expect(server.requests.map(\.line) == Array(repeating: "POST /v1/orgs/acme/decisions/query", count: 2))
            #expect(server.requests.map(\.body) == ["{}", #"{"outcome":"tracked","reason":"consentGiven"}"#])
            #expect(server.requests[0].headers["accept"] == "application/x-ndjson")
        }
    }

    @Test("a limit of CSV does not count its headings")
    func csv() async throws {
        try await StubServer.with({ _, _ in .init(body: "id\n1\n2\n") }) { server in
            let done = try await CommandRun.of("audit", "--org", "acme", "--csv", "--limit", "1", at: server)
            #expect(done.output == "id\n1\n")
            #expect(server.requests[0].headers["accept"] == "text/csv")
        }
    }

    @Test("whom it is about is read from standard input, and is in no argument")
    func recipient() async throws {
        try await StubServer.with({ _, _ in .init(body: "{}\n") }) { server in
            let done = try await CommandRun.of(
                "audit", "--org", "acme", "--recipient", "-", at: server, input: "ana@example.com\n")
            #expect(done.status == 0)
            #expect(server.requests.map(\.body) == [#"{"recipient":"ana@example.com"}"#])
            for input in ["\u{FEFF}ana@example.com\r\n", "ana@example.com"] {
                let same = try await CommandRun.of(
                    "audit", "--org", "acme", "--recipient", "-", at: server, input: input)
                #expect(same.status == 0)
            }
            #expect(Set(server.requests.map(\.body)) == [#"{"recipient":"ana@example.com"}"#])
            for input in ["", "\n", "\u{FEFF}\n"] {
                let none = try await CommandRun.of(
                    "audit", "--org", "acme", "--recipient", "-", at: server, input: input)
                #expect(none.status == 2)
                #expect(none.errors == "consentlink: --recipient - needs a recipient on standard input\n")
            }
            for input in ["ana@example.com\nbo@example.com\n", "ana@example.com\nbo@example.com"] {
                let several = try await CommandRun.of(
                    "audit", "--org", "acme", "--recipient", "-", at: server, input: input)
                #expect(several.status == 2)
                #expect(several.errors == "consentlink: --recipient - takes one recipient, not several\n")
            }
            #expect(server.requests.count == 3)
        }
    }

    @Test("a recipient on standard input that is not UTF-8 is refused: mended, it would be another one")
    func recipientInOtherBytes() async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(Array("an".utf8) + [0xE1] + Array("@example.com\n".utf8), to: "r")
            try await StubServer.with({ _, _ in .init(body: "") }) { server in
                let done = try await CommandRun.of(
                    ["audit", "--org", "acme", "--recipient", "-", "--api", server.base], in: folder,
                    redirection: "<r")
                #expect((done.status, done.output) == (2, ""))
                #expect(done.errors == "consentlink: the recipient on standard input is not UTF-8\n")
                #expect(server.requests.isEmpty)
            }
        }
    }

    @Test("a list that the service ends with an error is not whole, and the error is no decision")
    func endedList() async throws {
        let first = "{\"id\":\"1\"}\n"
        let end = #"{"error":{"title":"t","status":401,"detail":"the key was deleted"}}"# + "\n"
        try await StubServer.with({ _, count in .init(body: count == 1 ? first + end : end) }) { server in
            let cut = try await CommandRun.of("audit", "--org", "acme", "--json", at: server)
            #expect((cut.status, cut.output) == (1, first))
            let text = """
                consentlink: the key was deleted
                The service at \(server.base) does not know the key in CONSENTLINK_KEY. --data names the folder of a \
                service, whose operator.key is used unless CONSENTLINK_KEY is set.

                """
            #expect(cut.errors == text + "The list is not whole.\n")
            let none = try await CommandRun.of("audit", "--org", "acme", at: server)
            #expect((none.status, none.output, none.errors) == (1, "", text))
        }
        for format in ["--json", "--csv"] {
            try await StubServer.with({ _, _ in .init(body: first + "{\"id", breaksOff: true) }) { server in
                let cut = try await CommandRun.of("audit", "--org", "acme", format, at: server)
                #expect(cut.status == 1 && cut.errors.contains("broke off: "))
            }
        }
    }

    @Test("CSV whose last line has no end is not taken for whole", arguments: ["id\r\n1\r\n2", "id\r\n1,\"a", ""])
    func cutTable(_ table: String) async throws {
        try await StubServer.with({ _, _ in .init(body: table) }) { server in
            let cut = try await CommandRun.of("audit", "--org", "acme", "--csv", at: server)
            #expect((cut.status, cut.output) == (1, table))
            #expect(cut.errors.contains("broke off: the last line has no end"))
            let some = try await CommandRun.of("audit", "--org", "acme", "--csv", "--limit", "1", at: server)
            #expect(some.status == (table.contains("1\r\n") ? 0 : 1))
        }
    }

    @Test("any limit may be said", arguments: ["--json", "--csv"])
    func greatestLimit(_ format: String) async throws {
        try await StubServer.with({ _, _ in .init(body: "id\n1\n") }) { server in
            let done = try await CommandRun.of("audit", "--org", "acme", format, "--limit", "\(Int.max)", at: server)
            #expect((done.status, done.output) == (0, "id\n1\n"))
        }
    }

    @Test("that none fits is said, and a message that is not there is an error")
    func none() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            if request.line == "GET /v1/orgs/acme/messages/33d0000000000001" {
                return .json(#"{"id":"33d0000000000001"}"#)
            }
            return request.method == "GET" ? Self.noRobots : .init(body: "")
        }
        try await StubServer.with(reply) { server in
            let empty = try await CommandRun.of("audit", "--org", "acme", "--message", "33d0000000000001", at: server)
            #expect((empty.status, empty.output, empty.errors) == (0, "", "No decision fits.\n"))
            let missing = try await CommandRun.of("audit", "--org", "acme", "--message", "33d0000000000002", at: server)
            #expect(missing.status == 1)
            #expect(missing.errors.contains("there is no message 33d0000000000002 of organization acme at "))
        }
    }

    @Test("a time or a word that is none is wrong usage, and nothing is asked")
    func wrong() async throws {
        try await StubServer.with({ _, _ in .init() }) { server in
            let wrong = [
                ("--from", "yesterday"), ("--to", "2026-02-30"), ("--reason", "because"), ("--outcome", "x"),
                ("--message", "m/1"), ("--message", "zzz"),
            ]
            for (option, word) in wrong {
                let done = try await CommandRun.of(
                    ["audit", "--org", "acme", "--api", server.base, option, word])
                #expect(done.status == 2)
                #expect(done.errors.hasPrefix("consentlink: \(option) must be "))
            }
            let export = try await CommandRun.of(
                "audit", "export", "--org", "acme", "-o", "x.tar", "--to", "soon", at: server)
            #expect(export.status == 2)
            for arguments in [["audit"], ["audit", "export", "-o", "-"]] {
                let exchanged = try await CommandRun.of(
                    arguments + ["--org", "acme", "--from", "2030-01-01", "--to", "2029-01-01", "--api", server.base])
                #expect(exchanged.status == 2)
                #expect(exchanged.errors == "consentlink: --to must not be before --from\n")
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a decision is explained, with its message's name and its proof verified")
    func show() async throws {
        let ledger = try SampleLedger(10)
        let item = try ledger.items()[6]
        let entry = try JSONValue.parse(item.entry)
        let fields = try JSONValue.parse(try #require(item.opening).fields)
        let proof = String(decoding: try #require(try ledger.proof(of: 6)).bytes, as: UTF8.self)
        var document = JSONObject()
        for (name, value) in [
            ("id", entry["id"]), ("decidedAt", entry["at"]), ("outcome", entry["outcome"]), ("reason", entry["reason"]),
            ("enforcement", entry["enforcement"]), ("recipient", fields["recipient"]), ("message", fields["message"]),
            ("purpose", fields["purpose"]), ("consent", fields["consent"]), ("proof", .string(proof)),
        ] { _ = document.append(name, value ?? .null) }
        let genuine = JSONValue.object(document).serialized()
        let text = String(decoding: genuine, as: UTF8.self)
        let key = ledger.signer.verifier.description
        for (decision, status, verdict) in [
            (text, Int32(0), "holds: entry 6 of 10 entries, signed with your key"),
            (text.replacing("\"restrictive\"", with: "\"nonRestrictive\""), 1, "DOES NOT HOLD: "),
        ] {
            let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
                request.path.contains("/messages/") ? .json(#"{"name":"Sale"}"#) : .json(decision)
            }
            try await StubServer.with(reply) { server in
                let done = try await CommandRun.of("audit", "show", "d1", "--org", "acme", "--key", key, at: server)
                #expect(done.status == status)
                #expect(done.output.contains("(Sale)"))
                #expect(done.output.contains("proof           \(verdict)"))
                #expect(server.requests[0].line == "GET /v1/orgs/acme/decisions/d1")
                let json = try await CommandRun.of("audit", "show", "d1", "--org", "acme", "--json", at: server)
                #expect(json.output == decision + "\n")
            }
        }
    }
}
