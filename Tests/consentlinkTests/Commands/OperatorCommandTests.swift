import StubService
import TestSupport
import Testing

@testable import consentlink

/// Commands as they are run, against a service that answers as a test says.
@Suite struct OperatorCommandTests {
    private func run(
        _ arguments: String..., input: String = "", reply: StubServer.Reply
    ) async throws -> (CommandRun, [StubServer.Request]) {
        try await StubServer.with({ request, _ in request.path == "/robots.txt" ? .problem(404, "no") : reply }) {
            server in
            let done = try await CommandRun.of(arguments + ["--api", server.base], input: input)
            return (done, server.requests)
        }
    }

    @Test("an organization is made, and its key is shown once")
    func create() async throws {
        let made =
            #"{"id":"acme","enforcement":"restrictive","identifiers":"email","requireEvidence":false,"#
            + #""askAgainAfterDays":180,"retention":{"interactionsDays":760,"decisionsDays":"forever"},"key":{"key":"clk_1"}}"#
        let (done, requests) = try await run(
            "org", "create", "acme", "--enforcement", "restrictive", "--name", "Acme Ltd", reply: .json(made))
        #expect(requests.map(\.line) == ["POST /v1/orgs"])
        #expect(
            requests[0].body
                == #"{"id":"acme","identifiers":"email","enforcement":"restrictive","name":"Acme Ltd"}"#)
        #expect(requests[0].headers["authorization"] == "Bearer clk_test")
        #expect(done.status == 0)
        #expect(
            done.output == """
                organization  acme
                enforcement   restrictive
                identifiers   email
                interactions  kept 760 days
                decisions     about people forever
                evidence      not required
                consent page  none
                asked again   after 180 days
                key           clk_1
                The key is not shown again.

                """)
        #expect(done.errors == "")
    }

    @Test("an organization is made with the retention and the evidence that are said")
    func createdWithRetention() async throws {
        let made =
            #"{"id":"acme","requireEvidence":true,"consentUrl":"https://shop.example/","askAgainAfterDays":365,"#
            + #""key":{"key":"clk_1"}}"#
        let (done, requests) = try await run(
            "org", "create", "acme", "--enforcement", "restrictive", "--interactions-days", "30", "--decisions-days",
            "forever", "--require-evidence", "--consent-url", "https://shop.example/", "--ask-again-after-days", "365",
            reply: .json(made))
        #expect(
            requests.map(\.body) == [
                #"{"id":"acme","identifiers":"email","enforcement":"restrictive","#
                    + #""retention":{"interactionsDays":30,"decisionsDays":"forever"},"requireEvidence":true,"#
                    + #""consentUrl":"https://shop.example/","askAgainAfterDays":365}"#
            ])
        #expect(done.output.contains("evidence      required\n"))
        #expect(done.output.contains("consent page  https://shop.example/\n"))
        #expect(done.output.contains("asked again   after 365 days\n"))
        let (other, asked) = try await run(
            "org", "create", "acme", "--enforcement", "restrictive", "--decisions-days", "7", reply: .json(made))
        #expect(other.status == 0)
        #expect(asked.first?.body.contains(#""retention":{"decisionsDays":7}}"#) == true)
    }

    @Test("with --json it is the service's answer, on one line")
    func json() async throws {
        let made = #"{"id":"acme","key":{"key":"clk_1"}}"#
        let (done, _) = try await run(
            "org", "create", "acme", "--enforcement", "restrictive", "--json",
            reply: .json("{ \"id\" : \"acme\", \"key\":{\"key\":\"clk_1\"} }"))
        #expect(done.output == made + "\n")
    }

    @Test("a key gets the scopes that were named")
    func key() async throws {
        let made = #"{"id":"k1","scopes":["compose","read"],"key":"clk_2"}"#
        let (done, requests) = try await run(
            "org", "key", "acme", "--scope", "compose", "--scope", "read", "--name", "n", reply: .json(made))
        #expect(requests.map(\.line) == ["POST /v1/orgs/acme/keys"])
        #expect(requests[0].body == #"{"scopes":["compose","read"],"name":"n"}"#)
        #expect(done.output == "id      k1\nscopes  compose, read\nkey     clk_2\nThe key is not shown again.\n")
    }

    @Test("the key ring is a table")
    func keys() async throws {
        let ring =
            #"{"keys":[{"id":1,"signs":false,"createdAt":"T1","signedUntil":"T2","linksAliveUntil":"T3"},"#
            + #"{"id":12,"signs":true,"createdAt":"T2","signedUntil":null,"linksAliveUntil":null}]}"#
        let (done, requests) = try await run("keys", "list", reply: .json(ring))
        #expect(requests.map(\.line) == ["GET /v1/keyring"])
        #expect(
            done.output == """
                KEY  SIGNS  MADE  SIGNED UNTIL  LINKS ALIVE UNTIL
                1    no     T1    T2            T3
                12   yes    T2    -             -

                """)
    }

    @Test("a ring is rotated, and a key is retired, by force only where that was said")
    func ring() async throws {
        let (rotated, rotation) = try await run("keys", "rotate", reply: .json(#"{"id":2}"#))
        #expect(rotation.map(\.line) == ["POST /v1/keyring/rotate"])
        #expect(rotated.output == "Key 2 signs from now on.\n")
        for (words, force) in [(["keys", "retire", "1"], "false"), (["keys", "retire", "1", "--force"], "true")] {
            let (retired, requests) = try await StubServer.with({ _, _ in .init(status: 204) }) { server in
                (try await CommandRun.of(words + ["--api", server.base]), server.requests)
            }
            #expect(requests.map(\.line) == ["POST /v1/keyring/1/retire"])
            #expect(requests[0].body == #"{"force":\#(force)}"#)
            #expect(retired.output == "Key 1 is retired.\n")
        }
    }

    @Test(
        "what is done without a document is a small one for programs",
        arguments: [
            (["keys", "retire", "3", "--force"], #"{"id":3,"retired":true}"#),
            (["node", "remove", "links-3"], #"{"name":"links-3","removed":true}"#),
        ])
    func done(_ words: [String], _ document: String) async throws {
        try await StubServer.with({ _, _ in .init(status: 204) }) { server in
            let done = try await CommandRun.of(words + ["--json", "--api", server.base])
            #expect((done.status, done.output) == (0, document + "\n"))
        }
    }

    @Test("a refusal is on standard error, with 1, and standard output stays empty")
    func refused() async throws {
        let (done, _) = try await run("keys", "retire", "1", reply: .problem(409, "its links may be alive"))
        #expect((done.status, done.output, done.errors) == (1, "", "consentlink: its links may be alive\n"))
        let (missing, _) = try await run("keys", "retire", "9", reply: .problem(404, "nothing here"))
        #expect(missing.errors.hasPrefix("consentlink: there is no key 9 in the key ring at http://127.0.0.1:"))
    }

    @Test(
        "a tracking ID is looked at however it is given",
        arguments: [
            "AQE", "https://l.example/r/AQE", "https://l.example/r/AQE?utm=1", "/r/AQE",
            "https://l.example/r/AQE#top/x", "https://l.example/r/AQE/?a=b/c", "https://l.example/o/AQE.gif",
            "https://l.example/o/AQE.gif?x#y",
        ])
    func inspect(_ token: String) async throws {
        let answer =
            #"{"genuine":true,"key":1,"organization":"acme","message":"m1","disabled":true,"link":2,"#
            + #""target":"https://t.example/","expires":"T","recorded":false,"consent":"withdrawn"}"#
        let (done, requests) = try await run("inspect", token, reply: .json(answer))
        #expect(requests.map(\.line) == ["POST /v1/inspect"])
        #expect(requests[0].body == #"{"token":"AQE"}"#)
        #expect(done.status == 0)
        #expect(
            done.output == """
                genuine       yes, signed with key 1
                organization  acme
                message       m1, switched off
                link          2
                target        https://t.example/
                expires       T
                recorded now  no (switched off)

                """)
    }

    @Test("one that is not genuine is told with its reason, and with 1")
    func forged() async throws {
        let (done, _) = try await run("inspect", "AQE", reply: .json(#"{"genuine":false,"reason":"signature"}"#))
        #expect((done.status, done.output) == (1, "genuine       no (signature)\n"))
        let (json, _) = try await run("inspect", "AQE", "--json", reply: .json(#"{"genuine":false}"#))
        #expect((json.status, json.output) == (1, "{\"genuine\":false}\n"))
    }

    @Test("a backup is told with its files")
    func backup() async throws {
        let (done, requests) = try await run(
            "backup",
            reply: .json(#"{"folder":"/b/1","files":[{"name":"main.db","bytes":12},{"name":"k","bytes":3}]}"#))
        #expect(requests.map(\.line) == ["POST /v1/backup"])
        #expect(done.output == "folder  /b/1\n\nFILE     BYTES\nmain.db  12\nk        3\n")
    }

    @Test("the checkpoints of a backup are one line, however many organizations there are")
    func checkpointsOfBackup() async throws {
        let names = ["checkpoints/a.txt", "checkpoints/b.txt", "k"]
        for (count, line) in [(1, "checkpoints/ (1 file)"), (2, "checkpoints/ (2 files)")] {
            let files = (names.prefix(count) + names.suffix(1)).map { #"{"name":"\#($0)","bytes":90}"# }
            let answer = #"{"folder":"/b/1","files":[\#(files.joined(separator: ","))]}"#
            let (done, _) = try await run("backup", reply: .json(answer))
            let rows = [("FILE", "BYTES"), (line, "\(90 * count)"), ("k", "90")].map { name, bytes in
                name + String(repeating: " ", count: line.count - name.count) + "  \(bytes)\n"
            }
            #expect(done.output == "folder  /b/1\n\n" + rows.joined())
            let (json, _) = try await run("backup", "--json", reply: .json(answer))
            #expect(json.output == answer + "\n", "programs get every file")
        }
    }

    @Test("whether a backup was made is in doubt where no answer of the service says it, and not after its refusal")
    func refusedBackup() async throws {
        let replies: [(StubServer.Reply, Bool)] = [
            (.problem(503, "The folder for backups cannot be written."), false), (.problem(409, "x"), false),
            (.init(status: 503, body: "<html>"), true), (.problem(500, "x"), true), (.problem(504, "x"), true),
        ]
        for (reply, isInDoubt) in replies {
            let (done, _) = try await run("backup", reply: reply)
            #expect(done.status == 1)
            #expect(done.errors.contains("A backup may be made all the same") == isInDoubt, "\(done.errors)")
        }
    }

    @Test("nothing in an answer reaches a terminal that it would act on")
    func hostile() async throws {
        let (done, _) = try await run("keys", "rotate", reply: .json(#"{"id":"\u001b[2J\u202e"}"#))
        #expect(done.output == "Key \\u{1B}[2J\\u{202E} signs from now on.\n")
        let (json, _) = try await run("keys", "rotate", "--json", reply: .json("{\"id\":\"\u{202E}\"}"))
        #expect(json.output == "{\"id\":\"\\u202e\"}\n")
    }

    @Test(
        "wrong usage is 2, help and versions are 0 on standard output",
        arguments: [
            (["fly"], 2), (["keys", "retire"], 2), (["verify", "x", "--key", "k"], 2), (["--version"], 0),
            (["--help"], 0), (["audit", "export", "--help"], 0), (["keys", "list", "--api", "nowhere"], 2),
            (["keys", "list", "--api", "http://127.0.0.1:99999"], 2),
            (["org", "key", "a/b", "--scope", "read"], 2),
        ])
    func codes(_ arguments: [String], _ status: Int) async throws {
        let done = try await CommandRun.of(arguments)
        #expect(Int(done.status) == status)
        #expect(done.output.isEmpty == (status != 0))
        #expect(done.errors.isEmpty == (status == 0))
    }

    @Test(
        "what has none of the members that a command shows is no answer of the service",
        arguments: [
            ["keys", "list"], ["keys", "rotate"], ["keys", "retire", "1"], ["backup"], ["node", "list"],
            ["node", "remove", "n"], ["org", "key", "acme", "--scope", "read"],
            ["org", "create", "acme", "--enforcement", "restrictive"], ["endpoint", "list", "acme"],
            ["endpoint", "create", "acme", "https://h.example/", "--kind", "x"], ["endpoint", "attempts", "acme", "e"],
            ["endpoint", "test", "acme", "e"], ["endpoint", "enable", "acme", "e"],
            ["endpoint", "disable", "acme", "e"], ["endpoint", "secret", "acme", "e"],
            ["endpoint", "delete", "acme", "e"], ["inspect", "AQE"], ["audit", "show", "d", "--org", "acme"],
        ])
    func foreign(_ words: [String]) async throws {
        for reply in [StubServer.Reply.json("{}"), .init(body: "<html>It works!"), .init()] {
            try await StubServer.with({ _, _ in reply }) { server in
                let done = try await CommandRun.of(words + ["--api", server.base])
                #expect((done.status, done.output) == (1, ""))
                #expect(done.errors.contains(server.base))
            }
        }
    }

    @Test(
        "where the answer was lost a command says what may have been made",
        arguments: [
            (["keys", "rotate"], "see consentlink keys list"),
            (["org", "key", "acme", "--scope", "read"], "GET /v1/orgs/acme/keys lists the keys"),
            (["org", "create", "acme", "--enforcement", "restrictive"], "GET /v1/orgs/acme says whether it was"),
            (
                ["endpoint", "create", "acme", "https://h.example/", "--kind", "x"],
                "see consentlink endpoint list acme"
            ),
            (["endpoint", "secret", "acme", "e"], "Run the command again"),
            (["endpoint", "delete", "acme", "e"], "see consentlink endpoint list acme"),
        ])
    func lost(_ words: [String], _ hint: String) async throws {
        let (done, _) = try await StubServer.with({ _, _ in .init(isSilent: true) }) { server in
            (try await CommandRun.of(words + ["--api", server.base]), server.requests)
        }
        #expect(done.status == 1)
        #expect(done.errors.contains("the connection was closed\n"))
        #expect(done.errors.contains(hint))
    }
}
