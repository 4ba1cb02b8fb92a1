import StubService
import TestSupport
import Testing

@testable import consentlink

/// `consents import` as an operator runs it.
@Suite struct ImportCommandTests {
    private func with(
        _ reply: @escaping @Sendable (StubServer.Request, Int) -> StubServer.Reply,
        _ body: (TemporaryFolder, StubServer) async throws -> Void
    ) async throws {
        try await TemporaryFolder.with { folder in
            try await StubServer.with(reply) { server in try await body(folder, server) }
        }
    }

    @Test("consents are imported, and what was refused is in a file of its own")
    func imported() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            request.body.contains("bad")
                ? .problem(422, "no", errors: #"[{"pointer":"/1/recipient","detail":"is none"}]"#)
                : .recorded(request)
        }
        try await with(reply) { folder, server in
            try folder.write("recipient,state\nana,given\nbad,given\n", to: "c.csv")
            let done = try await CommandRun.of("consents", "import", "c.csv", "--org", "acme", at: server, in: folder)
            #expect(done.status == 1)
            #expect(done.output == "recorded  1\nrefused   1, see c.csv.errors.ndjson\n  line 3: /recipient is none\n")
            #expect(
                try folder.text(of: "c.csv.errors.ndjson")
                    == "{\"line\":3,\"lastLine\":3,\"reason\":\"/recipient is none\"}\n")
            #expect(folder.contains("c.csv.import"))
            let again = try await CommandRun.of("consents", "import", "c.csv", "--org", "acme", at: server, in: folder)
            #expect(again.status == 2)
            #expect(again.errors.contains("says that this file was imported (1 recorded, 1 refused): --resume goes on"))
            let resumed = try await CommandRun.of(
                "consents", "import", "c.csv", "--org", "acme", "--resume", "--json", at: server, in: folder)
            #expect(resumed.status == 0, "none is refused now")
            #expect(
                resumed.output
                    == #"{"recorded":1,"refused":1,"refusedNow":0,"errors":"c.csv.errors.ndjson","refusals":[]}"#
                    + "\n")
            #expect(server.batches.count == 2, "nothing is sent twice")
            try folder.write("recipient,state\nana,given\nbad,given\nbo,given\nbad,given\n", to: "c.csv")
            let grown = try await CommandRun.of(
                "consents", "import", "c.csv", "--org", "acme", "--resume", at: server, in: folder)
            #expect(grown.status == 1)
            #expect(
                grown.output == """
                    added     2 rows were imported before, and 2 rows were added since
                    recorded  2
                    refused   2 (1 of those that were added), see c.csv.errors.ndjson
                      line 5: /recipient is none

                    """)
            let unchanged = try await CommandRun.of(
                "consents", "import", "c.csv", "--org", "acme", "--resume", at: server, in: folder)
            #expect(unchanged.status == 0)
            #expect(unchanged.output.contains("refused   2 (none of those that were added), see"))
        }
    }

    @Test(
        "--resume asks whether the service still has the last record, and sends nothing to one that has lost it",
        arguments: [(200, 0), (404, 2), (403, 0), (422, 0), (401, 1)])
    func kept(_ status: Int, _ exit: Int32) async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            guard request.method == "GET" else {
                return .json(#"{"consents":[{"id":"3440a67a37cb65a7"}]}"#, status: 201)
            }
            guard request.path.hasSuffix("/proof") else { return .problem(404, "no") }
            let proof = StubServer.Reply(headers: [("Content-Type", "text/plain")], body: "c2sp")
            return status == 200 ? proof : .problem(status, "no")
        }
        try await with(reply) { folder, server in
            try folder.write("recipient,state\nana,given\n", to: "c.csv")
            let words = ["consents", "import", "c.csv", "--org", "acme", "--api", server.base]
            #expect(try await CommandRun.of(words, in: folder).status == 0)
            try folder.write("recipient,state\nana,given\nbo,given\n", to: "c.csv")
            let resumed = try await CommandRun.of(words + ["--resume"], in: folder)
            #expect(resumed.status == exit)
            #expect(server.requests.contains { $0.line == "GET /v1/orgs/acme/consents/3440a67a37cb65a7/proof" })
            #expect(server.requests.filter { $0.method == "POST" }.count == (exit == 0 ? 2 : 1))
            #expect(resumed.errors.contains("does not have the last record that c.csv.import says") == (status == 404))
            #expect(resumed.errors.contains("does not tell this key") == [403, 422].contains(status))
        }
    }

    @Test("a refused row of several lines is told with all of them")
    func extent() async throws {
        try await with({ request, _ in .recorded(request) }) { folder, server in
            let rows =
                "s1,given,\"web form\ns2,withdrawn,mail\ns3,withdrawn,mail\ns4,withdrawn,\"mail\"\ns5,given,web\n"
            try folder.write("recipient,state,evidence.method\n" + rows, to: "c.csv")
            let words = ["consents", "import", "c.csv", "--org", "acme", "--api", server.base]
            let done = try await CommandRun.of(words, in: folder)
            #expect(
                done.output == """
                    recorded  1
                    refused   1, see c.csv.errors.ndjson
                      lines 2 to 5: text follows a closing quote

                    """)
            let refusal = #"{"line":2,"lastLine":5,"reason":"text follows a closing quote"}"#
            #expect(try folder.text(of: "c.csv.errors.ndjson") == refusal + "\n")
            let json = try await CommandRun.of(words + ["--json", "--journal", "j", "--errors", "e"], in: folder)
            #expect(
                json.output
                    == #"{"recorded":1,"refused":1,"refusedNow":1,"errors":"e","refusals":[\#(refusal)]}"# + "\n")
        }
    }

    @Test("an import is not gone on with for another organization, and nothing is sent")
    func otherOrganization() async throws {
        try await with({ request, _ in .recorded(request) }) { folder, server in
            try folder.write("recipient,state\nana,given\n", to: "c.csv")
            let words = ["consents", "import", "c.csv", "--api", server.base, "--org"]
            let first = try await CommandRun.of(words + ["acme"], in: folder)
            #expect(first.status == 0)
            try folder.write("recipient,state\nana,given\nbo,given\n", to: "c.csv")
            let refused = try await CommandRun.of(words + ["shop", "--resume"], in: folder)
            #expect(refused.status == 2)
            #expect(
                refused.errors.hasPrefix(
                    "consentlink: c.csv.import is of an import into organization acme, and not into shop. Nothing was sent."
                ))
            #expect(server.batches.count == 1)
            let done = try await CommandRun.of(words + ["acme", "--resume"], in: folder)
            #expect((done.status, server.batches.count) == (0, 2))
        }
    }

    @Test("an import that came to nothing is of no organization")
    func otherOrganizationOfNothing() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, _ in
            request.path.contains("acme") ? .recorded(request) : .problem(404, "nothing here")
        }
        try await with(reply) { folder, server in
            try folder.write("recipient,state\nana,given\n", to: "c.csv")
            let words = ["consents", "import", "c.csv", "--api", server.base, "--org"]
            #expect(try await CommandRun.of(words + ["acne"], in: folder).status == 1)
            #expect(try await CommandRun.of(words + ["acme"], in: folder).status == 0)
        }
    }

    @Test("an import from standard input keeps its journal where it was said to")
    func importedInput() async throws {
        try await with({ request, _ in .recorded(request) }) { folder, server in
            let done = try await CommandRun.of(
                "consents", "import", "-", "--org", "acme", "--json-lines", "--journal", "j", at: server,
                input: #"{"recipient":"ana","state":"given"}"#, in: folder)
            #expect((done.status, done.output) == (0, "recorded  1\n"))
            #expect(folder.contains("j"))
            #expect(server.batches.map(\.body) == [#"[{"recipient":"ana","state":"given"}]"#])
        }
    }

    @Test("an import that failed says what is done and how to go on")
    func failedImport() async throws {
        let reply: @Sendable (StubServer.Request, Int) -> StubServer.Reply = { request, count in
            count == 1 ? .recorded(request) : .problem(403, "no scope")
        }
        try await with(reply) { folder, server in
            try folder.write("recipient,state\n" + String(repeating: "ana,given\n", count: 1001), to: "c.csv")
            let done = try await CommandRun.of("consents", "import", "c.csv", "--org", "acme", at: server, in: folder)
            #expect(done.status == 1)
            let hint = "1,000 rows are done; --resume goes on with the next row (c.csv.import)"
            #expect(done.errors == "consentlink: no scope\n\(hint)\n")
        }
    }

    @Test("without its journal --resume sends nothing: a consent would be recorded behind a later withdrawal")
    func noJournal() async throws {
        try await with({ request, _ in .recorded(request) }) { folder, server in
            try folder.write("recipient,state\nana,given\n", to: "c.csv")
            let words = ["consents", "import", "c.csv", "--org", "acme", "--api", server.base]
            for (more, journal) in [([], "c.csv.import"), (["--journal", "elsewhere"], "elsewhere")] {
                let done = try await CommandRun.of(words + ["--resume"] + more, in: folder)
                #expect(done.status == 2)
                #expect(done.errors.hasPrefix("consentlink: there is no \(journal), "))
                #expect(done.errors.contains("leave --resume out to import from the beginning"))
            }
            #expect(server.batches.isEmpty)
            #expect(try folder.files == ["c.csv"], "nothing is made")
            #expect(try await CommandRun.of(words, in: folder).status == 0)
            #expect(try await CommandRun.of(words + ["--resume"], in: folder).status == 0)
            #expect(server.batches.count == 1)
        }
    }

    @Test(
        "rows are recorded once the service lists them, and by nothing else",
        arguments: [
            StubServer.Reply(headers: [("Content-Type", "text/html")], body: "<html>It works!"), .json("{}"),
            .json("[]", status: 201), .json(#"{"consents":[{}]}"#, status: 201), .init(status: 204),
            .json(#"{"consents":[{},{},{}]}"#, status: 201), .json(#"{"consents":2}"#, status: 201),
        ])
    func otherService(_ reply: StubServer.Reply) async throws {
        try await with({ request, count in count == 1 ? reply : .recorded(request) }) { folder, server in
            try folder.write("recipient,state\nana,withdrawn\nbo,withdrawn\n", to: "c.csv")
            let words = ["consents", "import", "c.csv", "--org", "acme", "--api", server.base]
            let done = try await CommandRun.of(words, in: folder)
            #expect((done.status, done.output) == (1, ""))
            #expect(done.errors.hasPrefix("consentlink: the answer of \(server.base) is not one of this service: "))
            let resumed = try await CommandRun.of(words + ["--resume"], in: folder)
            #expect((resumed.status, resumed.output) == (0, "recorded  2\n"))
            #expect(server.batches.map(\.body).allSatisfy { $0 == server.batches[0].body })
        }
    }

    @Test("beside a device there is no place for files")
    func device() async throws {
        try await with({ request, _ in .recorded(request) }) { folder, server in
            let done = try await CommandRun.of(
                "consents", "import", "/dev/stdin", "--org", "acme", at: server, input: "recipient,state\nana,given\n",
                in: folder)
            #expect((done.status, done.errors) == (0, ""))
            #expect(folder.contains("consents.import"))
        }
    }
}

extension StubServer {
    /// The requests with rows, without those that ask for the time.
    fileprivate var batches: [Request] { requests.filter { $0.method == "POST" } }
}
