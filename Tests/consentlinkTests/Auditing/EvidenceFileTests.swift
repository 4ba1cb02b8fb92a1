import TestSupport
import Testing

@testable import consentlink

@Suite struct EvidenceFileTests {
    @Test("a file is read piece by piece to its end", arguments: [0, 1, 1 << 20, (1 << 20) + 1])
    func pieces(_ count: Int) throws {
        try TemporaryFolder.with { folder in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let file = try EvidenceFile(path: try folder.write(bytes, to: "f"))
            var read: [UInt8] = []
            while true {
                let piece = try file.next()
                guard !piece.isEmpty else { break }
                #expect(piece.count <= 1 << 20)
                read += piece
            }
            #expect(read == bytes)
        }
    }

    @Test("what is not there, and a folder, is wrong usage with its reason")
    func missing() throws {
        try TemporaryFolder.with { folder in
            let path = folder.path(of: "f")
            let failure = try #require(throws: CommandFailure.self) { _ = try EvidenceFile(path: path) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description == "consentlink: cannot read \(path): No such file or directory")
            let inFolder = try #require(throws: CommandFailure.self) { _ = try EvidenceFile(path: folder.path).next() }
            #expect(inFolder.exitCode == ExitStatus.usage)
            #expect(inFolder.description == "consentlink: cannot read \(folder.path): it is a folder")
        }
    }

    @Test("a small file has its limit", arguments: [(10, true), (11, false)])
    func limit(_ count: Int, _ isRead: Bool) throws {
        try TemporaryFolder.with { folder in
            let path = try folder.write([UInt8](repeating: 1, count: count), to: "f")
            if isRead {
                #expect(try EvidenceFile.all(of: path, upTo: 10).count == count)
            } else {
                let failure = try #require(throws: CommandFailure.self) { try EvidenceFile.all(of: path, upTo: 10) }
                #expect(failure.description == "consentlink: \(path) is too long: it has more than 10 bytes")
                #expect(failure.exitCode == ExitStatus.usage)
            }
        }
    }

    @Test(
        "a note ends in one newline, also where one was taken away or added",
        arguments: [("", "\n"), ("a", "a\n"), ("a\n", "a\n"), ("a\n\n", "a\n"), ("a\n\n\n", "a\n\n"), ("\n", "\n")])
    func newline(_ text: String, _ note: String) throws {
        #expect(EvidenceFile.endingInOneNewline(Array(text.utf8)) == Array(note.utf8))
        try TemporaryFolder.with { folder in
            let read = try EvidenceFile.note(in: folder.write(text, to: "f"), upTo: 10)
            #expect(read == Array(note.utf8))
        }
    }
}

@Suite struct LineLimitTests {
    private func passed(_ lines: Int?, _ pieces: [String]) -> (text: String, isLast: Bool, count: Int) {
        var limit = LineLimit(lines: lines)
        var text = ""
        for piece in pieces {
            let (bytes, isLast) = limit.take(Array(piece.utf8))
            text += String(decoding: bytes, as: UTF8.self)
            if isLast { return (text, true, limit.count) }
        }
        return (text, false, limit.count)
    }

    @Test(
        "so many lines pass, whatever pieces they come in",
        arguments: [
            (nil, ["a\nb\n", "c"], "a\nb\nc", false, 2), (1, ["a\nb\n"], "a\n", true, 1),
            (2, ["a\nb\n"], "a\nb\n", true, 2),
            (2, ["a", "\nb", "b\nc\n"], "a\nbb\n", true, 2), (3, ["a\nb\n"], "a\nb\n", false, 2),
            (1, ["abc"], "abc", false, 0), (1, [], "", false, 0),
        ] as [(Int?, [String], String, Bool, Int)])
    func limit(_ lines: Int?, _ pieces: [String], _ text: String, _ isLast: Bool, _ count: Int) {
        let found = passed(lines, pieces)
        #expect((found.text, found.isLast, found.count) == (text, isLast, count))
    }
}
