import Identifiers
import TestSupport
import Testing

@testable import consentlink

@Suite struct ImportJournalTests {
    private func progress(_ change: (inout ImportJournal.Progress) -> Void = { _ in }) -> ImportJournal.Progress {
        var progress = ImportJournal.Progress(
            run: "1f", rows: 12, digest: "ab", recorded: 10, refused: 2, errorBytes: 99)
        change(&progress)
        return progress
    }

    @Test("what was written is read as it was")
    func roundTrip() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "c.import"))
            #expect(try journal.read() == nil)
            let steps = [
                progress(), progress { $0.sentAt = .noon },
                ImportJournal.Progress(run: ""), progress { $0.ends = [4, 12] }, progress { $0 = $0.done },
                progress { $0.rows = .max },
            ]
            for step in steps {
                try journal.write(step)
                #expect(try journal.read() == step)
            }
            #expect(try folder.files == ["c.import"], "nothing else is left")
            #expect(try folder.permissions(of: "c.import") == 0o600)
        }
    }

    @Test("what a run that was ended left half written does not count")
    func unfinished() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "c.import"))
            try journal.write(progress())
            try folder.write("{\"version\":1,\"ru", to: "c.import.new")
            #expect(try journal.read() == progress())
            try journal.write(progress { $0.rows = 13 })
            #expect(try journal.read()?.rows == 13)
            #expect(try folder.files == ["c.import"])
        }
    }

    private static let whole =
        #"{"version":1,"run":"1f","rows":1,"digest":"","recorded":1,"refused":0,"errorBytes":0,"sentAt":null,"done":false}"#

    @Test("the journal of the tests is one")
    func sample() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: try folder.write(Self.whole, to: "j"))
            #expect(try journal.read() == ImportJournal.Progress(run: "1f", rows: 1, recorded: 1))
        }
    }

    @Test(
        "what is no journal is wrong usage, whatever it is",
        arguments: [
            "", "{}", "[]", "recipient,state\n", whole.replacing("\"version\":1", with: "\"version\":2"),
            whole.replacing("\"rows\":1", with: "\"rows\":-1"), whole.replacing("\"rows\":1", with: "\"rows\":1.5"),
            whole.replacing("\"rows\":1", with: "\"rows\":\"1\""), whole.replacing("\"run\":\"1f\",", with: ""),
            whole.replacing("\"done\":false", with: "\"done\":0"), whole.replacing(",\"sentAt\":null", with: ""),
            whole.replacing("\"sentAt\":null", with: "\"sentAt\":\"yesterday\""), whole + whole,
            whole + String(repeating: " ", count: 64 << 10),
            whole.replacing("\"digest\":\"\"", with: "\"digest\":null"),
        ])
    func nonsense(_ text: String) throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: try folder.write(text, to: "j\u{1B}"))
            let failure = try #require(throws: CommandFailure.self) { try journal.read() }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasSuffix("/j\\u{1B} is no journal of an import"))
        }
    }

    @Test("a journal that cannot be written is said, with what the system says")
    func unwritable() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "nowhere/j"))
            let failure = try #require(throws: CommandFailure.self) { try journal.write(progress()) }
            #expect(failure.exitCode == ExitStatus.failed)
            #expect(failure.description.hasSuffix("nowhere/j: No such file or directory"))
        }
    }

    @Test("an end of the file is noted once, and is known of journals that do not say it")
    func ends() throws {
        let done = progress().done
        #expect(done.isDone)
        #expect(done.ends == [12])
        #expect(done.done.ends == [12])
        var grown = done
        grown.rows = 20
        #expect(grown.done.ends == [12, 20])
        try TemporaryFolder.with { folder in
            let text = Self.whole.replacing("\"done\":false", with: "\"done\":true")
            let earlier = ImportJournal(path: try folder.write(text, to: "j"))
            #expect(try earlier.read()?.ends == [1])
        }
    }

    @Test("no two runs have the same name")
    func runs() {
        let names = Set((0..<100).map { _ in ImportJournal.Progress().run })
        #expect(names.count == 100)
    }

    @Test("a request is named by its run and by what is sent, and by nothing else")
    func requestKey() {
        let key = progress().requestKey(for: [1, 2])
        #expect(key.count == 64)
        #expect(progress { $0.rows = 99 }.requestKey(for: [1, 2]) == key)
        #expect(progress().requestKey(for: [1, 3]) != key)
        #expect(progress { $0.run = "20" }.requestKey(for: [1, 2]) != key)
    }

    @Test("a batch counts its rows and changes the digest, by every line, every byte and every reason")
    func digest() async throws {
        func after(_ text: String) async throws -> ImportJournal.Progress {
            try await TemporaryFolder.with { folder in
                let path = try folder.write(text, to: "rows")
                var rows = ImportSource(try RecipientSource(path: path), .json)
                var progress = ImportJournal.Progress(run: "1")
                while let batch = try await rows.next() { progress = progress.after(batch) }
                return progress
            }
        }
        let first = try await after("{\"a\":1}\n{\"a\":2}\n")
        #expect(first.rows == 2)
        #expect(first.digest.count == 64)
        let same = try await after("{\"a\":1}\n{\"a\":2}")
        #expect(same == first)
        for other in [
            "{\"a\":1}\n{\"a\":3}", "{\"a\":1}\n\n{\"a\":2}", "{\"a\":2}\n{\"a\":1}", "{\"a\":1}\n1", "{\"a\":1}\n{",
        ] {
            let changed = try await after(other)
            #expect(changed.rows == 2)
            #expect(changed.digest != first.digest)
        }
    }
}

@Suite struct ErrorFileTests {
    private let errors = [(line: 2, reason: "a \"b\""), (line: 31, reason: "/state ü")]
    private let lines = "{\"line\":2,\"reason\":\"a \\\"b\\\"\"}\n{\"line\":31,\"reason\":\"/state ü\"}\n"

    @Test("there is no file until there is an error, and then it is a JSON line each, for its owner alone")
    func made() throws {
        try TemporaryFolder.with { folder in
            var file = try ErrorFile(path: folder.path(of: "e"), resumingAt: 0)
            try file.write([])
            #expect(try folder.files == [])
            try file.write(errors)
            #expect(try folder.text(of: "e") == lines)
            #expect(file.size == lines.utf8.count)
            #expect(try folder.permissions(of: "e") == 0o600)
            try file.write([(line: 40, reason: "")])
            #expect(try folder.text(of: "e") == lines + "{\"line\":40,\"reason\":\"\"}\n")
        }
    }

    @Test("what an ended run wrote for a batch that it did not finish is cut off")
    func resumed() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write(lines + "{\"line\":99", to: "e")
            var file = try ErrorFile(path: path, resumingAt: lines.utf8.count)
            #expect(try folder.text(of: "e") == lines)
            try file.write([(line: 40, reason: "x")])
            #expect(try folder.text(of: "e") == lines + "{\"line\":40,\"reason\":\"x\"}\n")
        }
    }

    @Test("a file with something in it is not written over by an import that begins")
    func taken() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("mine", to: "e")
            let failure = try #require(throws: CommandFailure.self) { _ = try ErrorFile(path: path, resumingAt: 0) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasSuffix("has something in it; name another file with --errors"))
            #expect(try folder.text(of: "e") == "mine")
            var empty = try ErrorFile(path: try folder.write("", to: "f"), resumingAt: 0)
            try empty.write([(line: 1, reason: "x")])
            #expect(try folder.text(of: "f") == "{\"line\":1,\"reason\":\"x\"}\n")
        }
    }

    @Test("errors of earlier rows that are gone or cut are noticed")
    func gone() throws {
        try TemporaryFolder.with { folder in
            let gone = try #require(throws: CommandFailure.self) {
                _ = try ErrorFile(path: folder.path(of: "e"), resumingAt: 5)
            }
            #expect(gone.description.hasSuffix("is gone, which has the errors of the rows before"))
            let path = try folder.write("1234", to: "e")
            let short = try #require(throws: CommandFailure.self) { _ = try ErrorFile(path: path, resumingAt: 5) }
            #expect(short.description.hasSuffix("is shorter than it was left"))
            #expect(try folder.text(of: "e") == "1234")
        }
    }

    @Test("a file that cannot be made is said")
    func unwritable() throws {
        try TemporaryFolder.with { folder in
            var file = try ErrorFile(path: folder.path(of: "nowhere/e"), resumingAt: 0)
            do throws(CommandFailure) {
                try file.write(errors)
                Issue.record("it was written")
            } catch {
                #expect(error.description.hasSuffix("nowhere/e: No such file or directory"))
            }
        }
    }
}
