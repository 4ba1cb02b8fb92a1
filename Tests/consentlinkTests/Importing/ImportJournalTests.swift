import Identifiers
import TestSupport
import Testing

@testable import consentlink

@Suite struct ImportJournalTests {
    private static func position(_ rows: Int) -> ImportJournal.Position {
        let row = ImportRow(lines: 2...2, content: .refused(.init("x", of: RowBytes())))
        return ImportJournal.Position().after(Array(repeating: row, count: rows))
    }

    private static func underWay(_ refused: [ImportJournal.Refusal] = []) -> ImportJournal.UnderWay {
        ImportJournal.UnderWay(sentAt: .noon, end: position(20), refused: refused)
    }

    private func progress(_ change: (inout ImportJournal.Progress) -> Void = { _ in }) -> ImportJournal.Progress {
        var progress = ImportJournal.Progress(
            run: "1f", organization: "acme", position: Self.position(12), recorded: 10, refused: 2, errorBytes: 99)
        change(&progress)
        return progress
    }

    @Test("what was written is read as it was")
    func roundTrip() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "c.import"))
            #expect(try journal.read() == nil)
            let steps = [
                progress(), progress { $0.underWay = Self.underWay() },
                progress {
                    $0.underWay = Self.underWay([.init(line: 3, reason: "a \"b\""), .init(line: 9, reason: "")])
                },
                ImportJournal.Progress(run: ""), progress { $0 = $0.done },
                progress {
                    $0 = $0.done
                    $0.underWay = Self.underWay()
                },
                progress {
                    $0.position.rows = 1 << 53
                    $0.recorded = (1 << 53) - 2
                }, progress { $0.organization = nil },
                progress { $0.errorPlace = "/e" },
                progress {
                    var underWay = Self.underWay()
                    underWay.sentBy = $0.mark(ofKey: Array("clk_secret".utf8))
                    $0.underWay = underWay
                },
                progress { $0.last = "3440a67a37cb65a7" },
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
            let later = progress {
                $0.position = Self.position(15)
                $0.recorded = 13
            }
            try journal.write(later)
            #expect(try journal.read() == later)
            #expect(try folder.files == ["c.import"])
        }
    }

    @Test("a key has one mark in an import, and another one in each other import")
    func marks() {
        let key = Array("clk_secret".utf8)
        #expect(progress().mark(ofKey: key) == progress { $0.recorded = 0 }.mark(ofKey: key))
        #expect(progress().mark(ofKey: key) != progress { $0.run = "20" }.mark(ofKey: key))
        #expect(progress().mark(ofKey: key) != progress().mark(ofKey: Array("clk_other".utf8)))
    }

    private static let whole = """
        {"version":3,"run":"1f","organization":"acme","rows":1,"digest":"","recorded":0,"refused":1,"errorBytes":0,"underWay":null,\
        "whole":{"rows":1,"refused":0}}
        """
    private static let sent = whole.replacing(
        "\"underWay\":null",
        with: """
            "underWay":{"sentAt":"2026-01-01T00:00:00Z","rows":2,"digest":"","refused":[{"line":2,"reason":"x"}]}
            """)

    @Test("the journals of the tests are some")
    func samples() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: try folder.write(Self.whole, to: "j"))
            var expected = ImportJournal.Progress(run: "1f", organization: "acme", recorded: 0, refused: 1)
            expected.position.rows = 1
            expected.whole = ImportJournal.Whole(rows: 1, refused: 0)
            #expect(try journal.read() == expected)
            let sent = try #require(try ImportJournal(path: try folder.write(Self.sent, to: "k")).read())
            #expect(sent.underWay?.end?.rows == 2)
            #expect(sent.underWay?.refused == [.init(line: 2, reason: "x")])
        }
    }

    @Test(
        "what is no journal is wrong usage, whatever it is",
        arguments: [
            "", "{}", "[]", "recipient,state\n", whole.replacing("\"version\":3", with: "\"version\":4"),
            whole.replacing("\"acme\"", with: "1"), whole.replacing("\"organization\":\"acme\",", with: ""),
            whole.replacing("\"rows\":1,\"d", with: "\"rows\":-1,\"d"),
            whole.replacing("\"rows\":1,\"d", with: "\"rows\":1.5,\"d"),
            whole.replacing("\"rows\":1,\"d", with: "\"rows\":\"1\",\"d"),
            whole.replacing("\"recorded\":0", with: "\"recorded\":1"),
            whole.replacing("\"recorded\":0", with: "\"recorded\":-1"),
            whole.replacing("\"recorded\":0", with: "\"recorded\":9223372036854775807"),
            whole.replacing("\"rows\":1,\"d", with: "\"rows\":2,\"d"),
            whole.replacing("\"errorBytes\":0", with: "\"errorBytes\":9223372036854775807"),
            whole.replacing("\"errorBytes\":0", with: "\"errorBytes\":-1"),
            whole.replacing("\"run\":\"1f\",", with: ""), whole + whole,
            whole.replacing("\"digest\":\"\"", with: "\"digest\":null"),
            whole.replacing("\"digest\":\"\"", with: "\"digest\":\"ab\""),
            whole.replacing(",\"underWay\":null", with: ""),
            whole.replacing("\"underWay\":null", with: "\"underWay\":1"),
            whole.replacing("{\"rows\":1,", with: "{\"rows\":2,"),
            whole.replacing("\"refused\":0", with: "\"refused\":2"),
            whole.replacing("\"whole\":{\"rows\":1,\"refused\":0}", with: "\"whole\":1"),
            sent.replacing("2026-01-01T00:00:00Z", with: "yesterday"), sent.replacing("\"rows\":2", with: "\"rows\":1"),
            sent.replacing("\"rows\":2,", with: ""), sent.replacing("\"line\":2", with: "\"line\":null"),
            sent.replacing(",\"refused\":[{\"line\":2,\"reason\":\"x\"}]", with: ""),
            earlier.replacing("\"recorded\":3", with: "\"recorded\":4"),
            earlier.replacing("\"done\":false", with: "\"done\":0"), earlier.replacing(",\"sentAt\":null", with: ""),
            earlier.replacing("\"sentAt\":null", with: "\"sentAt\":\"yesterday\""),
        ])
    func nonsense(_ text: String) throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: try folder.write(text, to: "j\u{1B}"))
            let failure = try #require(throws: CommandFailure.self) { try journal.read() }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasSuffix("/j\\u{1B} is not a journal of an import"))
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

    @Test("an import is done from the end of the file on, until more is sent")
    func done() {
        let done = progress().done
        #expect(!progress().isDone)
        #expect(done.isDone)
        #expect(done.whole == ImportJournal.Whole(rows: 12, refused: 2))
        var grown = done
        grown.underWay = Self.underWay()
        #expect(!grown.isDone, "more is sent")
        grown.position = Self.position(20)
        grown.underWay = nil
        #expect(!grown.isDone, "more is recorded, and the end is not known")
        #expect(grown.done.isDone)
    }

    @Test("a file that is too long is no journal")
    func tooLong() throws {
        try TemporaryFolder.with { folder in
            let text = Self.whole + String(repeating: " ", count: 2 << 20)
            let journal = ImportJournal(path: try folder.write(text, to: "j"))
            #expect(throws: CommandFailure.self) { try journal.read() }
        }
    }

    @Test("a batch of which every row was refused for a long reason is read as it was")
    func greatest() throws {
        try TemporaryFolder.with { folder in
            let journal = ImportJournal(path: folder.path(of: "j"))
            for character in ["x", "\u{1}", "🙂", "\"", "\u{202E}"] {
                let reason = String(repeating: character, count: 70_000)
                let full = progress {
                    $0.underWay = Self.underWay((0..<1000).map { .init(line: (1 << 53) - $0, reason: reason) })
                }
                try journal.write(full)
                #expect(try journal.read() == full, "of \(character.unicodeScalars)")
            }
        }
    }

    private static let earlier = """
        {"version":1,"run":"1f","rows":4,"digest":"ab","recorded":3,"refused":1,"errorBytes":0,"sentAt":null,"done":false}
        """

    @Test("journals of version 1 are read, and what they do not say is not known")
    func version1() throws {
        func read(_ text: String) throws -> ImportJournal.Progress? {
            try TemporaryFolder.with { folder in try ImportJournal(path: try folder.write(text, to: "j")).read() }
        }
        let begun = try #require(try read(Self.earlier))
        #expect((begun.rows, begun.recorded, begun.refused, begun.isDone) == (4, 3, 1, false))
        #expect(begun.batches == BatchDigest("ab", ends: [4]))
        #expect(begun.underWay == nil)
        let sent = try #require(
            try read(Self.earlier.replacing("null", with: "\"2026-01-01T00:00:00Z\"")))
        #expect(sent.underWay?.sentAt.rfc3339 == "2026-01-01T00:00:00.000Z")
        #expect(sent.underWay?.end == nil)
        let done = try #require(try read(Self.earlier.replacing("false}", with: "true,\"ends\":[2,4]}")))
        #expect(done.isDone)
        #expect(done.whole == ImportJournal.Whole(rows: 4, refused: 1))
        #expect(done.batches == BatchDigest("ab", ends: [2, 4, 4]))
        let grown = (1...200_000).map(String.init).joined(separator: ",")
        #expect(try read(Self.earlier.replacing("false}", with: "true,\"ends\":[\(grown)]}"))?.isDone == true)
    }

    @Test("journals of version 2 are read, and their digests are of the reasons of rows that were refused")
    func version2() throws {
        try TemporaryFolder.with { folder in
            let text = Self.sent.replacing("\"version\":3", with: "\"version\":2").replacing(
                "\"organization\":\"acme\",", with: "")
            let read = try #require(try ImportJournal(path: try folder.write(text, to: "j")).read())
            #expect(read.organization == nil)
            #expect(read.reasons == RowDigest(.reason))
            #expect(read.position == ImportJournal.Position(rows: 1))
            #expect(read.underWay?.end == ImportJournal.Position(rows: 2, digest: RowDigest(.reason)))
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
        #expect(progress { $0.position.rows = 99 }.requestKey(for: [1, 2]) == key)
        #expect(progress().requestKey(for: [1, 3]) != key)
        #expect(progress { $0.run = "20" }.requestKey(for: [1, 2]) != key)
    }
}
