import Identifiers
import JSON
import LedgerSamples
import TestSupport
import Testing

@testable import Ledger

@Suite("A line of an export's entries")
struct EntryTextTests {
    @Test("has the parts of the entry that it was written of")
    func parts() throws {
        for item in try SampleLedger(12).items() {
            let line = line(of: item)
            let read = try #require(EntryText(line[...]))
            #expect(read.index == item.leaf)
            #expect(Array(read.entry) == item.entry)
            #expect(read.fields.map(Array.init) == item.opening?.fields)
            #expect(read.salt == item.opening?.salt)
        }
    }

    @Test("is read in the form of a proof's extra, which has no index")
    func extra() throws {
        let item = try SampleLedger(12).items()[8]
        let read = try #require(EntryText(item.extra[...]))
        #expect(read.index == nil)
        #expect(Array(read.entry) == item.entry)
        #expect(read.salt == item.opening?.salt)
    }

    @Test("cut off anywhere is none, and neither is one with anything behind it")
    func cut() throws {
        let line = line(of: try SampleLedger(12).items()[8])
        for length in 0..<line.count { #expect(EntryText(line[..<length]) == nil) }
        for tail in [" ", "}", "\n", ",\"x\":1}"] { #expect(EntryText((line + Array(tail.utf8))[...]) == nil) }
    }

    @Test("without its salt, with a salt of another length, or with its parts in another order is none")
    func salt() throws {
        let text = String(decoding: line(of: try SampleLedger(12).items()[8]), as: UTF8.self)
        let salt = try #require(text.firstRange(of: ",\"salt\":\""))
        let start = String(text[..<salt.lowerBound])
        for end in [
            "}", ",\"salt\":\"\"}", ",\"salt\":\"AAAA\"}", ",\"salt\":null}", ",\"salt\":\"q83vEjRWeJC6ze8SNFZ4k\"}",
        ] {
            #expect(EntryText(Array((start + end).utf8)[...]) == nil, "\(end)")
        }
        #expect(EntryText(Array(#"{"index":1,"entry":{}}"#.utf8)[...]) == nil)
        #expect(EntryText(Array(#"{"entry":{},"index":18446744073709551616}"#.utf8)[...]) == nil)
        #expect(EntryText(Array(#"{"entry":[],"index":1}"#.utf8)[...]) == nil)
    }

    private func line(of item: LedgerItem) -> [UInt8] {
        var json: [UInt8] = []
        item.appendLine(to: &json)
        #expect(json.last == .newline)
        return json.dropLast()
    }
}

@Suite("Scanning canonical JSON")
struct JSONScannerTests {
    @Test("finds every string that a writer wrote, and no other spelling of it", arguments: 0..<100)
    func strings(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let scalars: [Unicode.Scalar] = ["a", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "\u{2028}", "🎁"]
        let length = Int.random(in: 0...12, using: &generator)
        var text = String.UnicodeScalarView()
        for _ in 0..<length { text.append(scalars.randomElement(using: &generator) ?? "a") }
        var written: [UInt8] = []
        written.appendJSONString(String(text))
        var scanner = JSONScanner((written + [UInt8(ascii: ",")])[...])
        let read = scanner.canonicalString()
        #expect(read.map { Array($0.utf8) } == Array(String(text).utf8))
        #expect(Array(scanner.rest) == [UInt8(ascii: ",")])
    }

    @Test(
        "refuses strings that JSON has and canonical JSON does not",
        arguments: [
            #""\u0061""#, #""\/""#, #""\u00e9""#, #""\u001F""#, #""\ud83c\udf81""#, "\"\u{1}\"", #""open"#, "\"", "",
            "'a'",
            #""\"#, #""\ud800""#, #""\x""#,
        ])
    func spellings(text: String) {
        var scanner = JSONScanner(Array(text.utf8)[...])
        #expect(scanner.canonicalString() == nil)
    }

    @Test("refuses bytes that are no UTF-8")
    func bytes() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] {
            var scanner = JSONScanner(([.quote] + bytes + [.quote])[...])
            #expect(scanner.canonicalString() == nil)
        }
    }

    @Test("counts are those that every reader takes for the same number")
    func counts() {
        let counts: [(String, UInt64?)] = [
            ("0", 0), ("7", 7), ("9007199254740991", (1 << 53) - 1), ("9007199254740992", nil), ("007", nil), ("", nil),
            ("-1", nil), ("18446744073709551616", nil), ("+1", nil),
        ]
        for (text, count) in counts {
            var scanner = JSONScanner(Array(text.utf8)[...])
            #expect(scanner.canonicalCount() == count, "\(text)")
        }
    }

    @Test("members must stand in their order, each once, in one object")
    func members() {
        func names(_ text: String) -> [String]? {
            var names: [String] = []
            let isObject = JSONScanner.members(of: Array(text.utf8)[...]) { name, value in
                names.append(String(decoding: name + [UInt8(ascii: "=")] + value, as: UTF8.self))
            }
            return isObject ? names : nil
        }
        #expect(names(#"{"a":1,"b":{"c":[1,"}"]},"d":"x,y"}"#) == ["a=1", #"b={"c":[1,"}"]}"#, #"d="x,y""#])
        for wrong in [
            "", "{}", "{", #"{"a":1"#, #"{"b":1,"a":2}"#, #"{"a":1,"a":2}"#, #"{"a":1}}"#, #"{"a":}"#, #"{"a" :1}"#,
            #"{"a":1,}"#, #"{"a\u0062":1}"#, #"["a"]"#, #"{"a":"x}"#, #"{"a":[1}"#,
        ] { #expect(names(wrong) == nil, "\(wrong)") }
    }

    @Test("instants have one spelling, and the reader's memory of the last one takes no other for it")
    func instants() throws {
        var reader = TimestampReader()
        let texts = ["2026-11-22T12:00:00.000Z", "2026-11-22T12:00:00.001Z", "2026-11-22T12:00:00.000Z"]
        for text in texts { #expect(reader.read(Array(text.utf8)[...])?.rfc3339 == text) }
        for wrong in [
            "2026-11-22T12:00:00Z", "2026-11-22t12:00:00.000z", "2026-11-22T12:00:00.000+00:00", "",
            "2026-11-22T12:00:00.0000", "2026-02-30T12:00:00.000Z", " 2026-11-22T12:00:00.000",
        ] { #expect(reader.read(Array(wrong.utf8)[...]) == nil, "\(wrong)") }
        #expect(reader.read(Array(texts[0].utf8)[...])?.rfc3339 == texts[0])
    }
}
