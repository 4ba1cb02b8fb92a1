import StubService
import TestSupport
import Testing

@testable import consentlink

/// The commands that read a file, write one, and go on where they were.
@Suite struct FileCommandTests {
    private static func payloads(_ request: StubServer.Request) -> StubServer.Reply {
        let lines = request.body.split(separator: "\n").dropFirst()
        let answers = lines.map { line in
            line.contains("bad")
                ? Answers.refusal(422, "no recipient") : Answers.payload(String(line.dropFirst().dropLast()))
        }
        return StubServer.Reply(
            headers: [("ConsentLink-Message", "m1")], body: answers.map { $0 + "\n" }.joined())
    }

    private func with(
        _ reply: @escaping @Sendable (StubServer.Request, Int) -> StubServer.Reply,
        _ body: (TemporaryFolder, StubServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write(#"{ "message" : {"name":"sale"}, "format" : "plain" }"#, to: "m.json")
            try folder.write("ana\nbo\n", to: "r.txt")
            try await StubServer.with(reply) { server in try await body(folder, server) }
        }
    }

    @Test("payloads go to standard output, and what is said of them to standard error")
    func compose() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let done = try await CommandRun.of("compose", "m.json", "r.txt", "--org", "acme", at: server, in: folder)
            #expect(done.status == 0)
            #expect(done.output == Answers.payload("ana") + "\n" + Answers.payload("bo") + "\n")
            #expect(done.errors == "message   m1\npayloads  2, 2 of them tracked\n")
            #expect(
                server.requests[0].body == "{\"message\":{\"name\":\"sale\"},\"format\":\"plain\"}\n\"ana\"\n\"bo\"\n")
        }
    }

    @Test(
        "a request that cannot be read is told in a whole sentence",
        arguments: [
            (#"{"format":"plain","format":"bird"}"#, "duplicate member /format"),
            ("", "not JSON: there is nothing, at byte 0"),
            (String(repeating: "[", count: 99), "more than 64 arrays and objects are nested in each other"),
        ])
    func unreadable(_ request: String, _ reason: String) async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            try folder.write(request, to: "m.json")
            let done = try await CommandRun.of("compose", "m.json", "r.txt", "--org", "acme", at: server, in: folder)
            #expect((done.status, done.output) == (2, ""))
            #expect(done.errors == "consentlink: m.json cannot be read: \(reason)\n")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("the request may come from a pipe")
    func pipe() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let done = try await CommandRun.of(
                ["compose", "/dev/fd/0", "r.txt", "--org", "acme", "--api", server.base], in: folder,
                redirection: "<<'END'\n{\"message\":{\"name\":\"sale\"},\"format\":\"plain\"}\nEND\n")
            #expect((done.status, done.errors) == (0, "message   m1\npayloads  2, 2 of them tracked\n"))
        }
    }

    @Test("lines that were refused are told with 1, and the others are there all the same")
    func refused() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            try folder.write((1...12).map { "bad\($0)\n" }.joined() + "ana\n", to: "r.txt")
            let done = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out", at: server, in: folder)
            #expect(done.status == 1)
            #expect(done.output.contains("payloads  1, 1 of them tracked\nrefused   12\n  line 1: no recipient\n"))
            #expect(done.output.hasSuffix("  line 10: no recipient\n  and 2 more\n"))
            #expect(try folder.text(of: "out").split(separator: "\n").count == 13)
            try folder.write("bad\n", to: "r.txt")
            let json = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out2", "--json", at: server, in: folder)
            #expect(
                json.output
                    == #"{"message":"m1","unsupportedMembers":[],"lines":1,"payloads":0,"tracked":0,"refused":1,"#
                    + #""refusals":[{"line":1,"status":422,"detail":"no recipient"}],"connections":1}"# + "\n")
        }
    }

    @Test("a run that failed says how to go on, and one that goes on sends the rest")
    func resumed() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
            switch count {
            case 1:
                .init(headers: [("ConsentLink-Message", "m1")], body: Answers.payload("ana") + "\n", breaksOff: true)
            case 2: .problem(403, "the key was taken back")
            default: Self.payloads(request)
            }
        }
        try await with(reply) { folder, server in
            let failed = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out", at: server, in: folder)
            #expect(failed.status == 1)
            #expect(
                failed.errors
                    == "consentlink: the key was taken back\n1 line is answered, in out; --resume goes on with the next line\n"
            )
            let again = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out", at: server, in: folder)
            #expect(again.status == 2)
            let done = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out", "--resume", at: server, in: folder)
            #expect(done.status == 0)
            #expect(done.output == "message   m1\npayloads  2, 2 of them tracked\n")
            #expect(try folder.text(of: "out") == Answers.payload("ana") + "\n" + Answers.payload("bo") + "\n")
        }
    }

    @Test("a dash is standard output, as where no output is named")
    func dash() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let done = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "-", at: server, in: folder)
            #expect(done.status == 0)
            #expect(done.output == Answers.payload("ana") + "\n" + Answers.payload("bo") + "\n")
            #expect(done.errors == "message   m1\npayloads  2, 2 of them tracked\n")
            #expect(try folder.files == ["m.json", "r.txt"])
        }
    }

    @Test("an output is not gone on with for another message, and stays as it is")
    func otherMessage() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let words = ["compose", "m.json", "r.txt", "--org", "acme", "-o", "out", "--api", server.base]
            let first = try await CommandRun.of(words, in: folder)
            #expect(first.status == 0)
            try folder.write("ana\nbo\ncy\n", to: "r.txt")
            let before = try folder.text(of: "out")
            try folder.write(#"{"message":{"name":"sale","purpose":"news"},"format":"plain"}"#, to: "m.json")
            let refused = try await CommandRun.of(words + ["--resume"], in: folder)
            #expect(refused.status == 2)
            #expect(
                refused.errors.hasPrefix(
                    "consentlink: out was begun with another message, purpose or format, as out.compose says."))
            #expect(try folder.text(of: "out") == before)
            #expect(server.requests.count == 1, "nothing is sent")
            try folder.write(#"{"message":{"name":"sale"},"format":"plain"}"#, to: "m.json")
            let done = try await CommandRun.of(words + ["--resume"], in: folder)
            #expect(done.status == 0)
            #expect(try folder.text(of: "out") == before + Answers.payload("cy") + "\n")
        }
    }

    @Test("an output is not gone on with at a service without its message, and no recipient is sent there")
    func otherService() async throws {
        let words = ["compose", "m.json", "r.txt", "--org", "acme", "-o", "out", "--api"]
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            #expect(try await CommandRun.of(words + [server.base], in: folder).status == 0)
            try folder.write("ana\nbo\ncy\n", to: "r.txt")
            let before = try folder.text(of: "out")
            let nothing = StubServer.Reply.problem(404, "nothing here")
            try await StubServer.with({ request, _ in request.method == "GET" ? nothing : Self.payloads(request) }) {
                other in
                let refused = try await CommandRun.of(words + [other.base, "--resume"], in: folder)
                #expect(refused.status == 2)
                #expect(
                    refused.errors.hasPrefix(
                        "consentlink: there is no message m1 of organization acme at \(other.base)\n"
                            + "consentlink: out was begun with it, as out.compose says. Nothing was changed."))
                #expect(other.requests.map(\.line) == ["GET /v1/orgs/acme/messages/m1", "GET /robots.txt"])
            }
            // One that cannot say so at once, and answers for another message.
            let later: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
                if request.method == "GET" { return .problem(503, "not now") }
                return .init(headers: [("ConsentLink-Message", "m2")], body: Answers.payload("cy") + "\n")
            }
            try await StubServer.with(later) { other in
                let refused = try await CommandRun.of(words + [other.base, "--resume"], in: folder)
                #expect(refused.status == 2)
                #expect(refused.errors.contains("has answers of message m1, and the service answers with m2"))
            }
            #expect(try folder.text(of: "out") == before)
            #expect(try await CommandRun.of(words + [server.base, "--resume"], in: folder).status == 0)
            #expect(try folder.text(of: "out") == before + Answers.payload("cy") + "\n")
        }
    }

    @Test("that there are no recipients or rows is said, and an empty table is none")
    func empty() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            try folder.write("", to: "r.txt")
            try folder.write("", to: "c.csv")
            try folder.write("recipient,state\n", to: "d.csv")
            try folder.write("\n", to: "e.ndjson")
            let composed = try await CommandRun.of(
                "compose", "m.json", "r.txt", "--org", "acme", "-o", "out", at: server, in: folder)
            #expect((composed.status, composed.errors) == (0, "There are no recipients in r.txt.\n"))
            let table = try await CommandRun.of("consents", "import", "c.csv", "--org", "acme", at: server, in: folder)
            #expect(table.status == 2)
            #expect(table.errors.contains("it is empty; its first line must name the columns"))
            for name in ["d.csv", "e.ndjson"] {
                let rows = try await CommandRun.of(
                    "consents", "import", name, "--org", "acme", at: server, in: folder)
                #expect((rows.status, rows.output) == (0, "recorded  0\n"))
                #expect(rows.errors == "There are no rows in \(name).\n")
                #expect(!folder.contains("\(name).import"))
            }
        }
    }

    @Test("a signal ends a long command with a last line that says how far it came and how to go on")
    func interrupted() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            request.line.hasSuffix("/consents")
                ? .init(stalls: true)
                : .init(headers: [("ConsentLink-Message", "m1")], body: Answers.payload("ana") + "\n", stalls: true)
        }
        try await with(reply) { folder, server in
            try folder.write("recipient,state\nana,given\n", to: "c.csv")
            let composed = try await CommandRun.of(
                ["compose", "m.json", "r.txt", "--org", "acme", "-o", "out", "--api", server.base], in: folder,
                endedWhen: { (try? folder.text(of: "out").isEmpty) == false })
            #expect(composed.status == 143)
            #expect(
                composed.errors
                    == "consentlink: interrupted. 1 line is answered, in out; --resume goes on with the next line\n")
            let imported = try await CommandRun.of(
                ["consents", "import", "c.csv", "--org", "acme", "--api", server.base], in: folder,
                endedWhen: { server.requests.count > 1 })
            #expect(imported.status == 143)
            #expect(
                imported.errors
                    == "consentlink: interrupted. No row is known to be done; --resume goes on (c.csv.import)\n")
        }
    }

    @Test(
        "what cannot be composed of is wrong usage",
        arguments: [
            ["nowhere.json", "r.txt", "--org", "acme"], ["r.txt", "r.txt", "--org", "acme"],
            ["m.json", "nowhere.txt", "--org", "acme"], ["m.json", "r.txt", "--org", "a/b"],
            ["m.json", "r.txt", "--org", "acme", "-o", "nowhere/out"],
        ])
    func wrong(_ words: [String]) async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let done = try await CommandRun.of(["compose"] + words + ["--api", server.base], in: folder)
            #expect(done.status == 2)
            #expect(done.output.isEmpty && done.errors.hasPrefix("consentlink: "))
            #expect(server.requests.isEmpty)
        }
    }

    @Test("a name does not look like a line of the command, nor move the cursor")
    func names() async throws {
        let name = "x\nconsentlink: done\u{1B}[2J"
        let shown = #"x\u{A}consentlink: done\u{1B}[2J"#
        for (words, text) in [
            (["compose", name, "r.txt", "--org", "acme"], "consentlink: cannot read \(shown): "),
            (["verify", "f", name, "--key", "a"], "'\(shown)'"),
            (["verify", "f", "--key", "a", "--\(name)"], "'--\(shown)'"),
            (["serve", "--config", name], "config: \(shown) cannot be read: "),
        ] {
            let done = try await CommandRun.of(words)
            #expect(done.status != 0 && done.errors.contains(text), "\(done.errors)")
            #expect(!done.errors.contains("\nconsentlink: done") && !done.errors.contains("\u{1B}"), "\(done.errors)")
        }
    }

    @Test("a file without an end is refused by its limit, and nothing is sent")
    func endless() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            let composed = try await CommandRun.of("compose", "/dev/zero", "r.txt", "--org", "acme", at: server)
            #expect(composed.status == 2)
            #expect(composed.errors == "consentlink: cannot read /dev/zero: it has more than 16777216 bytes\n")
            #expect(server.requests.isEmpty)
        }
    }

    @Test("JSON lines are known by the file's name, and a quote at a line's beginning is stopped at")
    func notation() async throws {
        try await with({ request, _ in Self.payloads(request) }) { folder, server in
            for name in ["r.ndjson", "r.jsonl"] {
                try folder.write("\"ana\"\n", to: name)
                let done = try await CommandRun.of("compose", "m.json", name, "--org", "acme", at: server, in: folder)
                #expect(done.status == 0)
            }
            try folder.write("\"ana\"\n", to: "r.csv")
            let stopped = try await CommandRun.of("compose", "m.json", "r.csv", "--org", "acme", at: server, in: folder)
            #expect(stopped.status == 2)
            #expect(stopped.errors.contains("line 1 of the recipients begins with a quote"))
            let text = try await CommandRun.of(
                "compose", "m.json", "r.jsonl", "--org", "acme", "--text", at: server, in: folder)
            #expect(text.status == 0)
            #expect(server.requests.last?.body.hasSuffix("\n\"\\\"ana\\\"\"\n") == true)
        }
    }
}
