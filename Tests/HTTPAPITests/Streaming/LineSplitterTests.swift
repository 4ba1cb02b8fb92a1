import Testing

@testable import HTTPAPI

struct LineSplitterTests {
    /// All lines of `text` when it arrives in pieces of `length` bytes.
    private func lines(of text: String, inPiecesOf length: Int, limit: Int = 10) -> [LineSplitter.Line] {
        var splitter = LineSplitter(limit: limit)
        var lines: [LineSplitter.Line] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            splitter.append(rest.prefix(length))
            rest = rest.dropFirst(length)
            while let line = splitter.next() { lines.append(line) }
        }
        if let line = splitter.last() { lines.append(line) }
        return lines
    }

    private func text(_ text: String) -> LineSplitter.Line { .text(Array(text.utf8)) }

    @Test(
        "lines are the same whatever pieces they arrive in",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("\n\n", ["", ""]), ("a\nb", ["a", "b"]),
            ("a\r\nb\r\n", ["a\r", "b\r"]), ("a\n\nb\n", ["a", "", "b"]), ("0123456789\nx\n", ["0123456789", "x"]),
        ] as [(String, [String])])
    func pieces(_ whole: String, _ expected: [String]) {
        for length in 1...12 {
            #expect(lines(of: whole, inPiecesOf: length) == expected.map(text), "in pieces of \(length)")
        }
    }

    @Test("a line over the limit is told of once, and those around it are whole")
    func tooLong() {
        for length in 1...40 {
            let found = lines(of: "a\n" + String(repeating: "x", count: 25) + "\nb\n", inPiecesOf: length)
            #expect(found == [text("a"), .tooLong, text("b")], "in pieces of \(length)")
        }
    }

    @Test("the last line may be too long, too", arguments: [1, 7, 11, 50])
    func lastTooLong(_ length: Int) {
        #expect(lines(of: "a\n0123456789x", inPiecesOf: length) == [text("a"), .tooLong])
    }

    @Test("of a line over the limit nothing is kept")
    func keepsNothing() {
        var splitter = LineSplitter(limit: 10)
        for _ in 0..<1000 {
            splitter.append(repeatElement(UInt8(ascii: "x"), count: 100))
            #expect(splitter.next() == nil)
            #expect(splitter.heldCount <= 10)
        }
        splitter.append("\nb\n".utf8)
        #expect(splitter.next() == .tooLong)
        #expect(splitter.next() == text("b"))
        #expect(splitter.heldCount == 0)
    }
}
