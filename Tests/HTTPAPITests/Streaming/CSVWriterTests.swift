import Testing

@testable import HTTPAPI

struct CSVWriterTests {
    private func line(_ cells: String?...) -> String {
        var writer = CSVWriter()
        for cell in cells { writer.cell(cell) }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "every cell is quoted (RFC 4180)",
        arguments: [
            ("plain", "plain"), ("two words", "two words"), ("a,b", "a,b"), ("say \"no\"", "say \"\"no\"\""),
            ("two\nlines", "two\nlines"), ("two\r\nlines", "two\r\nlines"), ("é", "é"), ("\"", "\"\""),
            ("\u{1F469}\u{200D}\u{1F4BB}", "\u{1F469}\u{200D}\u{1F4BB}"),
        ])
    func quoted(_ text: String, _ cell: String) {
        #expect(line(text) == "\"" + cell + "\"\r\n")
    }

    @Test(
        "what a spreadsheet would run begins with an apostrophe",
        arguments: ["=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"])
    func formulas(_ beginning: String) {
        #expect(line(beginning + "cmd' /C calc'!A0") == "\"'" + beginning + "cmd' /C calc'!A0\"\r\n")
        #expect(line("a" + beginning) == "\"a" + beginning + "\"\r\n")
    }

    @Test(
        "it does so behind everything that a spreadsheet may cut cells at",
        arguments: [
            ("a;=cmd|'/C calc'!A0;", "a;'=cmd|'/C calc'!A0;"), ("a|+1", "a|'+1"), ("a\t@x", "a\t'@x"),
            ("a\n-1", "a\n'-1"), ("a; =1", "a; '=1"), ("a;\"=1\"", "a;\"\"'=1\"\""), ("a;;=1", "a;;'=1"),
            ("a;\u{FF1D}1", "a;'\u{FF1D}1"),
            ("\"=1", "\"\"'=1"), (" =1", " '=1"), ("\t=1", "'\t'=1"), ("\r\n=1", "'\r\n'=1"),
            ("a=b;c", "a=b;c"), ("ana+news@example.com", "ana+news@example.com"), ("a;b=c", "a;b=c"),
        ])
    func separators(_ text: String, _ cell: String) {
        #expect(line(text) == "\"" + cell + "\"\r\n")
    }

    @Test("there is a comma between cells, none behind the last, and nothing for what is not there")
    func commas() {
        #expect(line("a", nil, "b", nil) == "\"a\",,\"b\",\r\n")
        #expect(line("", "a") == ",\"a\"\r\n")
        var writer = CSVWriter()
        writer.cell(true)
        writer.cell(false)
        writer.endLine()
        writer.cell("next")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "\"true\",\"false\"\r\n\"next\"")
    }
}
