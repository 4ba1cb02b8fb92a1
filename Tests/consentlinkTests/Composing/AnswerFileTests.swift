import TestSupport
import Testing

@testable import consentlink

@Suite struct AnswerFileTests {
    private let whole = Answers.payload("ana") + "\n" + Answers.refusal(422) + "\n"

    private func resumed(_ text: String) async throws -> (text: String, splitter: AnswerSplitter) {
        try await TemporaryFolder.with { folder in
            let file = try AnswerFile(path: try folder.write(text, to: "p"), mayResume: true)
            var splitter = AnswerSplitter()
            try file.resume(&splitter)
            try await file.write(Array("next\n".utf8))
            try await file.sync()
            return (try folder.text(of: "p"), splitter)
        }
    }

    @Test("a new file is for its owner alone, and has what was written")
    func new() async throws {
        try await TemporaryFolder.with { folder in
            let file = try AnswerFile(path: folder.path(of: "p"), mayResume: false)
            try await file.write([])
            try await file.write(Array("a\n".utf8))
            try await file.write(Array("b\n".utf8))
            try await file.sync()
            #expect(try folder.text(of: "p") == "a\nb\n")
            #expect(try folder.permissions(of: "p") == 0o600)
        }
    }

    @Test("a file with something in it is not written over")
    func taken() throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write("mine", to: "p")
            let failure = try #require(throws: CommandFailure.self) { try AnswerFile(path: path, mayResume: false) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.contains("has something in it; go on with it by --resume"))
            #expect(try folder.text(of: "p") == "mine")
            _ = try AnswerFile(path: try folder.write("", to: "q"), mayResume: false)
        }
    }

    @Test("two processes do not write one file")
    func locked() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "p")
            let first = try AnswerFile(path: path, mayResume: false)
            let failure = try #require(throws: CommandFailure.self) { try AnswerFile(path: path, mayResume: true) }
            #expect(failure.description.hasSuffix("is being written by another process"))
            withExtendedLifetime(first) {}
        }
    }

    @Test("what cannot be written to, and what cannot be gone on with, is wrong usage")
    func unusable() throws {
        try TemporaryFolder.with { folder in
            let nowhere = try #require(throws: CommandFailure.self) {
                try AnswerFile(path: folder.path(of: "nowhere/p"), mayResume: false)
            }
            #expect(nowhere.exitCode == ExitStatus.usage)
            #expect(nowhere.description.hasSuffix("No such file or directory"))
            let device = try #require(throws: CommandFailure.self) {
                try AnswerFile(path: "/dev/null", mayResume: true)
            }
            #expect(device.exitCode == ExitStatus.usage)
            #expect(device.description.contains("--resume needs a file to go on with"))
            _ = try AnswerFile(path: "/dev/null", mayResume: false)
        }
    }

    @Test("a run that goes on counts the lines that are whole, and cuts off the one that is not")
    func resume() async throws {
        for rest in ["", "{", Answers.payload("bo")] {
            let (text, splitter) = try await resumed(whole + rest)
            #expect(text == whole + "next\n")
            #expect((splitter.counts.lines, splitter.counts.refused, splitter.restCount) == (2, 1, 0))
            #expect(splitter.lastPayload?.line == 1)
            #expect(!splitter.keepsLastPayload)
        }
        let (text, splitter) = try await resumed("")
        #expect(text == "next\n")
        #expect(splitter.counts.lines == 0)
    }

    @Test("a line that the service wanted sent again is cut off with all behind it")
    func resumeAtStop() async throws {
        let (text, splitter) = try await resumed(whole + Answers.refusal(503) + "\n" + Answers.payload("bo") + "\n")
        #expect(text == whole + "next\n")
        #expect(splitter.counts.lines == 2)
    }

    @Test("a file stays as it is until something is written behind its answers")
    func untouched() async throws {
        try await TemporaryFolder.with { folder in
            let file = try AnswerFile(path: try folder.write(whole + "{\"rec", to: "p"), mayResume: true)
            var splitter = AnswerSplitter()
            try file.resume(&splitter)
            #expect(try folder.text(of: "p") == whole + "{\"rec")
            try await file.sync()
            #expect(try folder.text(of: "p") == whole)
        }
    }

    @Test(
        "a file of something else is not gone on with, and keeps what it has",
        arguments: [
            ("precious", 1), ("precious\n", 1), ("{}\n", 1), (Answers.payload("ana") + "\nprecious\n", 2),
            (Answers.payload("ana") + "\nprecious", 2), ("\n", 1),
        ])
    func foreign(_ text: String, _ line: Int) throws {
        try TemporaryFolder.with { folder in
            let file = try AnswerFile(path: try folder.write(text, to: "p"), mayResume: true)
            var splitter = AnswerSplitter()
            let failure = try #require(throws: CommandFailure.self) { try file.resume(&splitter) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasPrefix("consentlink: line \(line) of "))
            #expect(failure.description.contains("is not an answer of the service. Nothing was changed"))
            #expect(try folder.text(of: "p") == text)
        }
    }

    @Test("zeros that a file system left where a line was are no line")
    func zeros() async throws {
        let (text, splitter) = try await resumed(whole + String(repeating: "\0", count: 5000))
        #expect(text == whole + "next\n")
        #expect(splitter.counts.lines == 2)
    }

    @Test("a file of many megabytes is read in pieces, and nothing of it is lost")
    func long() async throws {
        let line = Answers.payload(String(repeating: "x", count: 5000)) + "\n"
        let (text, splitter) = try await resumed(String(repeating: line, count: 700) + "{\"rec")
        #expect(splitter.counts.lines == 700)
        #expect(text.utf8.count == 700 * line.utf8.count + 5)
    }
}

@Suite struct ProgressBarTests {
    @Test(
        "a line says how much is read, how many lines are done, and how fast this run is",
        arguments: [
            (0, 0, 0.0, 0.0, "[------------------------] 0 %  0 lines  0/s"),
            (1000, 0, 0.5, 2, "[############------------] 50 %  1,000 lines  500/s"),
            (1000, 9000, 1, 1, "[########################] 100 %  10,000 lines  1,000/s"),
            (1, 0, 0.999, 1, "[#######################-] 99 %  1 lines  1/s"),
            (5, 0, nil, 2, "5 lines  2/s"),
        ] as [(Int, Int, Double?, Double, String)])
    func line(_ answered: Int, _ earlier: Int, _ share: Double?, _ seconds: Double, _ text: String) {
        #expect(ProgressBar.line(answered: answered, earlier: earlier, share: share, seconds: seconds) == text)
    }
}
