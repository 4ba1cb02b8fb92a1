import JSON
import StubService
import TestSupport
import Testing

@testable import consentlink

@Suite struct FolderCommandTests {
    private func run(_ words: String..., in folder: TemporaryFolder) async throws -> CommandRun {
        try await CommandRun.of(words, environment: [:], in: folder)
    }

    @Test("a data folder is made once, and its id is told to programs")
    func made() async throws {
        try await TemporaryFolder.with { folder in
            let made = try await run("init", "--data", "d", "--json", in: folder)
            #expect(made.status == 0)
            let document = try JSONValue.parse(Array(made.output.utf8))
            #expect(document["folder"]?.text == "d")
            #expect(document["id"]?.text.isEmpty == false)
            #expect(folder.contains("d/operator.key"))
            let again = try await run("init", "--data", "d", in: folder)
            #expect(again.status == 1)
            #expect(again.output.isEmpty && again.errors.contains("/d: the folder is not empty: it has "))
        }
    }

    @Test("the command that starts a service on the folder can be pasted, whatever the folder is called")
    func quoted() async throws {
        try await TemporaryFolder.with { folder in
            let made = try await run("init", "--data", "Ann's data", in: folder)
            #expect(made.output.contains(#"consentlink serve --data 'Ann'\''s data'"#))
        }
    }

    @Test("a lost operator key is made anew, and a spool that is there is not replaced")
    func replaced() async throws {
        try await TemporaryFolder.with { folder in
            #expect(try await run("init", "--data", "d", in: folder).output.contains("consentlink serve --data d"))
            let key = try folder.text(of: "d/operator.key")
            let replaced = try await run("init", "--data", "d", "--new-operator-key", in: folder)
            #expect(replaced.status == 0)
            #expect(replaced.output.contains("the old one opens nothing"))
            #expect(try folder.text(of: "d/operator.key") != key)
            let spool = try await run("init", "--data", "d", "--replace-spool", in: folder)
            #expect(spool.status == 1)
            #expect(spool.errors.contains("spool.db is there and can be used"))
            let nowhere = try await run("init", "--data", "e", "--new-operator-key", in: folder)
            #expect(nowhere.status == 1)
            #expect(nowhere.errors.contains("there is no data folder in "))
        }
    }

    @Test("a move that was not begun cannot be abandoned")
    func noMove() async throws {
        try await TemporaryFolder.with { folder in
            #expect(try await run("init", "--data", "d", in: folder).status == 0)
            let done = try await run("migrate", "--data", "d", "--abandon", in: folder)
            #expect((done.status, done.errors) == (1, "consentlink: no move was begun\n"))
        }
    }

    @Test("doctor looks at a folder without a service, and says what to do")
    func doctor() async throws {
        try await TemporaryFolder.with { folder in
            #expect(try await run("init", "--data", "d", in: folder).status == 0)
            let api = try await StubServer.nowhere()
            let text = try await run("doctor", "--data", "d", "--api", api, in: folder)
            #expect(text.status == 1)
            #expect(text.output.contains("data "))
            #expect(text.output.contains("\n!!  "))
            #expect(text.output.contains("to be done."))
            let json = try await run("doctor", "--data", "d", "--api", api, "--json", in: folder)
            #expect(json.status == 1)
            let document = try JSONValue.parse(Array(json.output.utf8))
            #expect(document["well"] == .bool(false))
            let data = document["settings"]?.elements.first { $0["name"]?.text == "data" }
            #expect(data?["value"]?.text == folder.path(of: "d"))
            #expect(data?["source"]?.text == "flag")
            let entries = document["entries"]?.elements ?? []
            #expect(entries.contains { $0["remedy"] != .null })
            #expect(entries.allSatisfy { $0["subject"]?.text.isEmpty == false && $0["text"]?.text.isEmpty == false })
            let none = try await run("doctor", "--data", "nowhere", "--api", api, in: folder)
            #expect(none.status == 1)
            #expect(!folder.contains("nowhere"), "it changes nothing")
        }
    }

    @Test(
        "settings that cannot be are wrong usage, for serve and for doctor",
        arguments: [["--config", "nowhere.yaml"], ["--config", "bad.yaml"]])
    func settings(_ words: [String]) async throws {
        try await TemporaryFolder.with { folder in
            try folder.write("link-lifetime: soon\n", to: "bad.yaml")
            for command in ["serve", "doctor"] {
                let done = try await CommandRun.of([command] + words, environment: [:], in: folder)
                #expect(done.status == 2)
                #expect(done.output.isEmpty && done.errors.hasPrefix("consentlink: "))
            }
            #expect(try folder.files == ["bad.yaml"])
        }
    }

    @Test(
        "a flag that cannot be is named",
        arguments: [
            ("--listen", "nowhere"), ("--threads", "0"), ("--link-lifetime", "0"), ("--disk-floor", "-1"),
            ("--missing-data", "perhaps"), ("--log-level", "loud"), ("--public-url", "ftp://x"),
            ("--storage", "mysql://x"), ("--durability", "some"),
        ])
    func flags(_ flag: String, _ value: String) async throws {
        try await TemporaryFolder.with { folder in
            let done = try await run("serve", "\(flag)=\(value)", in: folder)
            #expect(done.status == 2)
            #expect(done.errors.contains(String(flag.dropFirst(2))))
            #expect(try folder.files == [])
        }
    }

    @Test("serve on a folder that must not be made or is damaged is 3, and says which folder it is")
    func refused() async throws {
        try await TemporaryFolder.with { folder in
            let missing = try await run("serve", "--data", "d", "--missing-data", "refuse", in: folder)
            #expect(missing.status == 3)
            #expect(missing.errors.contains("/d cannot be used:\n  the folder is empty or does not exist"))
            #expect(try folder.files == [])
            #expect(try await run("init", "--data", "d", in: folder).status == 0)
            try folder.write("rubbish", to: "d/operator.key")
            let damaged = try await run("serve", "--data", "d", in: folder)
            #expect(damaged.status == 3)
            #expect(damaged.errors.contains("/d cannot be used:\n  operator.key"))
        }
    }
}
