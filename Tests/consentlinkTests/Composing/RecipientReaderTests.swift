import ConsentLinkClient
import JSON
import TestSupport
import Testing

@testable import consentlink

@Suite struct RecipientReaderTests {
    private func lines(
        _ bytes: [UInt8], _ notation: RecipientReader.Notation = .text(takesAll: false), by length: Int = .max
    ) throws -> [String] {
        var reader = RecipientReader(notation)
        var batch = LineBatch()
        var rest = bytes[...]
        while !rest.isEmpty {
            batch.append(try reader.read(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        batch.append(try reader.last())
        return (0..<batch.count).map { String(decoding: batch[$0..<$0 + 1].bytes.dropLast(), as: UTF8.self) }
    }

    @Test(
        "each line is a recipient as a JSON string, and no line is left out",
        arguments: [
            ("", []),
            ("ana", ["\"ana\""]),
            ("ana\n", ["\"ana\""]),
            ("ana\nbo\n", ["\"ana\"", "\"bo\""]),
            ("ana\r\nbo\r\n", ["\"ana\"", "\"bo\""]),
            ("ana\r\r\n", ["\"ana\\r\""]),
            ("\n\nana", ["\"\"", "\"\"", "\"ana\""]),
            ("\r\n", ["\"\""]),
            ("a b\u{A0}c", ["\"a b\u{A0}c\""]),
            ("a\"b\\c\td\u{0}", [#""a\"b\\c\td\u0000""#]),
            ("\u{FEFF}ana\nb\u{FEFF}o", ["\"ana\"", "\"b\u{FEFF}o\""]),
            ("größe@例え.jp", ["\"größe@例え.jp\""]),
        ] as [(String, [String])])
    func text(_ text: String, _ expected: [String]) throws {
        for length in [1, 2, .max] { #expect(try lines(Array(text.utf8), by: length) == expected) }
    }

    @Test(
        "JSON lines go as they are, for the service to judge",
        arguments: [
            ("\"ana\"\n\"bo\"", ["\"ana\"", "\"bo\""]),
            ("\u{FEFF}\"ana\"", ["\"ana\""]),
            ("nonsense\n\n{}", ["nonsense", "", "{}"]),
        ])
    func json(_ text: String, _ expected: [String]) throws {
        for length in [1, .max] { #expect(try lines(Array(text.utf8), .json, by: length) == expected) }
    }

    @Test("every text is a JSON string that says the same")
    func quoting() throws {
        let text = String(String.UnicodeScalarView((0..<0x250).compactMap { Unicode.Scalar($0 as UInt32) })).replacing(
            "\n", with: "")
        let line = try #require(try lines(Array("x\(text)".utf8)).first)
        #expect(try JSONValue.parse(Array(line.utf8)) == .string("x\(text)"))
    }

    @Test("bytes that are no UTF-8 stay what they are")
    func encoding() throws {
        var reader = RecipientReader(.text(takesAll: false))
        #expect(try reader.read([0x61, 0xFF, 0x0A][...]).bytes == [0x22, 0x61, 0xFF, 0x22, 0x0A])
    }

    @Test("a line that begins with a quote is stopped at, with its number, unless quotes are taken")
    func quote() throws {
        let table = Array("ana\n\"bo\"\ncy".utf8)
        for length in [1, .max] {
            let failure = try #require(throws: CommandFailure.self) { try lines(table, by: length) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(failure.description.hasPrefix("consentlink: line 2 of the recipients begins with a quote"))
            #expect(
                try lines(table, .text(takesAll: true), by: length) == ["\"ana\"", #""\"bo\"""#, "\"cy\""])
        }
        let last = try #require(throws: CommandFailure.self) { try lines(Array("ana\n\"bo".utf8)) }
        #expect(last.description.hasPrefix("consentlink: line 2 of"))
        let marked = try #require(throws: CommandFailure.self) { try lines(Array("\u{FEFF}\"ana\"".utf8)) }
        #expect(marked.description.hasPrefix("consentlink: line 1 of"), "the quote stands behind the mark")
    }

    @Test(
        "a line that begins or ends with white space is stopped at, with its number, unless it is taken as it is",
        arguments: [
            " bo", "bo ", "\tbo", "bo\t\r", "\u{A0}bo", "bo\u{A0}", " ", "\u{200B}bo", "bo\u{200E}\r",
            "\u{202A}bo\u{202C}", "bo\u{FEFF}",
        ])
    func space(_ line: String) throws {
        let table = Array("ana\n\(line)\ncy".utf8)
        for length in [1, .max] {
            let failure = try #require(throws: CommandFailure.self) { try lines(table, by: length) }
            #expect(failure.exitCode == ExitStatus.usage)
            #expect(
                failure.description.hasPrefix("consentlink: line 2 of the recipients begins or ends with white space"))
            #expect(try lines(table, .text(takesAll: true), by: length).count == 3)
            #expect(try lines(table, .json, by: length).count == 3)
        }
    }

    @Test("a line of any length is held in 8 KiB, is sent longer than the service takes, and stays one line")
    func length() throws {
        for count in [8191, 8192, 8193, 100_000] {
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: count) + Array("\nbo".utf8)
            for length in [1000, .max] {
                let found = try lines(text, by: length)
                #expect(found.map(\.utf8.count) == [min(count, 8192) + 2, 4])
            }
        }
    }

    @Test("a file gives the same lines in pieces of any length", arguments: 0..<20 as Range<UInt64>)
    func pieces(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab\n\r\\é\u{FEFF}".utf8)
        let text = (0..<200).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
        let whole = try lines(text, .text(takesAll: true))
        #expect(
            whole.count == text.split(separator: 0x0A, omittingEmptySubsequences: false).count
                - (text.last == 0x0A ? 1 : 0))
        for length in 1...5 { #expect(try lines(text, .text(takesAll: true), by: length) == whole) }
    }
}

@Suite struct LineBatchTests {
    private func batch(_ lines: [String]) -> LineBatch {
        var batch = LineBatch()
        for line in lines { batch.appendLine { $0 += Array(line.utf8) } }
        return batch
    }

    private func text(_ batch: LineBatch) -> String { String(decoding: batch.bytes, as: UTF8.self) }

    @Test("lines stand one behind the other, each with its line feed")
    func lines() {
        let some = batch(["a", "", "bcd"])
        #expect(text(some) == "a\n\nbcd\n")
        #expect((some.count, some.byteCount, some.isEmpty) == (3, 7, false))
        #expect(LineBatch().isEmpty)
        #expect(LineBatch().count == 0)
    }

    @Test(
        "a part of it has the lines of its range",
        arguments: [
            (0..<0, ""), (0..<1, "a\n"), (1..<2, "\n"), (1..<3, "\nbcd\n"), (2..<3, "bcd\n"), (0..<3, "a\n\nbcd\n"),
        ])
    func part(_ range: Range<Int>, _ expected: String) {
        let part = batch(["a", "", "bcd"])[range]
        #expect(text(part) == expected)
        #expect(part.count == range.count)
    }

    @Test("a part can be cut again, and gone on with")
    func partOfPart() {
        var part = batch(["a", "bb", "ccc", "dddd"])[1..<4]
        #expect(text(part[1..<3]) == "ccc\ndddd\n")
        part.append(batch(["e", "f"]))
        #expect(text(part) == "bb\nccc\ndddd\ne\nf\n")
        #expect(text(part[3..<5]) == "e\nf\n")
    }

    @Test("the first lines are removed, and the others stay what they are", arguments: 0...4)
    func removal(_ count: Int) {
        var some = batch(["a", "", "bcd", "e"])
        some.removeFirst(count)
        #expect(some.count == 4 - count)
        #expect(text(some) == text(batch(["a", "", "bcd", "e"])[count..<4]))
        some.append(batch(["x"]))
        #expect(text(some[some.count - 1..<some.count]) == "x\n")
    }
}
