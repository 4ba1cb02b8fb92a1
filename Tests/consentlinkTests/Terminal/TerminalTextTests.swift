import JSON
import Testing

@testable import consentlink

@Suite struct TerminalTextTests {
    @Test(
        "what a terminal would act on is shown as its number",
        arguments: [
            ("\u{1B}[2J", "\\u{1B}[2J"), ("a\u{7}b", "a\\u{7}b"), ("a\rb", "a\\u{D}b"), ("a\nb", "a\\u{A}b"),
            ("a\tb", "a\\u{9}b"), ("\u{7F}", "\\u{7F}"), ("\u{9B}31m", "\\u{9B}31m"), ("\u{85}", "\\u{85}"),
            ("abc\u{202E}txt", "abc\\u{202E}txt"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"), ("\u{200B}", "\\u{200B}"), ("\u{FEFF}", "\\u{FEFF}"),
            ("\u{0}", "\\u{0}"), ("\r\n", "\\u{D}\\u{A}"), ("\u{E0001}", "\\u{E0001}"),
        ])
    func active(_ text: String, _ shown: String) {
        #expect(TerminalText.escaped(text) == shown)
        #expect(text.shown == shown)
    }

    @Test(
        "what can be seen stays as it is",
        arguments: [
            "", "plain", "Größe, 大きさ, 🙂", "back\\slash \"quote\"", "a b~", "e\u{301}", "\u{A0}",
        ])
    func visible(_ text: String) { #expect(TerminalText.escaped(text) == text) }

    @Test("every control of ASCII, C1 and DEL is escaped, and no other of the first 256 but the soft hyphen")
    func firstBlock() {
        for value in UInt32(0)...255 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = value < 0x20 || (0x7F...0x9F).contains(value) || value == 0xAD
            #expect((String(scalar).shown != String(scalar)) == isControl, "U+\(String(value, radix: 16))")
        }
    }

    @Test("arguments are escaped in a message of several lines, also the value of an option")
    func arguments() {
        let arguments = ["consentlink", "a\nb", "--api=c\nd\u{202E}", "plain"]
        let message = "no a\nb,\nno c\nd\u{202E} and plain\n"
        #expect(TerminalText.escaping(arguments, in: message) == "no a\\u{A}b,\nno c\\u{A}d\\u{202E} and plain\n")
        #expect(TerminalText.escaping([], in: message) == message)
        for blank in ["\n", "\n ", "--api=\n", ""] {
            #expect(TerminalText.escaping(["consentlink", blank], in: message) == message)
        }
    }

    @Test("what was escaped holds nothing that would be escaped again")
    func twice() {
        let text = "\u{1B}]0;title\u{7} \u{202E}\u{E007F}\n"
        #expect(text.shown.shown == text.shown)
    }

    @Test(
        "JSON stays the same JSON",
        arguments: [
            ("\"a\u{7F}b\"", "\"a\\u007fb\""), ("\"\u{9B}31m\"", "\"\\u009b31m\""),
            ("\"\u{202E}\"", "\"\\u202e\""), ("\"\u{E0001}\"", "\"\\udb40\\udc01\""),
            ("{\"a\":1}\n{\"a\":2}", "{\"a\":1}\n{\"a\":2}"), ("\"ü🙂\"", "\"ü🙂\""),
        ])
    func json(_ document: String, _ shown: String) throws {
        #expect(TerminalText.escapedJSON(Array(document.utf8)) == shown)
        for (line, other) in zip(document.split(separator: "\n"), shown.split(separator: "\n")) {
            #expect(try JSONValue.parse(Array(line.utf8)) == JSONValue.parse(Array(other.utf8)))
        }
    }
}

@Suite struct PluralTests {
    @Test(
        "one has the word for one, everything else the word for many",
        arguments: [
            (0, "0 purges"), (1, "1 purge"), (2, "2 purges"), (-1, "-1 purges"), (1_234_567, "1,234,567 purges"),
        ])
    func regular(_ count: Int, _ text: String) { #expect(count.counted("purge") == text) }

    @Test("a word may have a plural of its own, and a count may be of any width")
    func irregular() {
        #expect(UInt64(1).counted("entry", "entries") == "1 entry")
        #expect(UInt64(2).counted("entry", "entries") == "2 entries")
        #expect(UInt64.max.counted("entry", "entries") == "\(Int.max.grouped) entries")
    }
}

@Suite struct GroupedNumberTests {
    @Test(
        "commas stand between groups of three",
        arguments: [
            (0, "0"), (7, "7"), (999, "999"), (1000, "1,000"), (-1, "-1"), (-999, "-999"), (-1000, "-1,000"),
            (123_456, "123,456"), (1_234_567, "1,234,567"), (-123_456, "-123,456"),
            (Int.max, "9,223,372,036,854,775,807"), (Int.min, "-9,223,372,036,854,775,808"),
        ])
    func grouped(_ number: Int, _ text: String) { #expect(number.grouped == text) }
}
