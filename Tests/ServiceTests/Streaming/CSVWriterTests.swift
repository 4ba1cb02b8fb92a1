import Testing

@testable import Service

struct CSVWriterTests {
    private func line(_ cells: String?...) -> String {
        var writer = CSVWriter()
        for cell in cells { writer.cell(cell) }
        writer.endLine()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test(
        "cells are quoted where they must be (RFC 4180)",
        arguments: [
            ("plain", "plain"), ("", ""), ("two words", "two words"), ("a,b", "\"a,b\""),
            ("say \"no\"", "\"say \"\"no\"\"\""),
            ("two\nlines", "\"two\nlines\""), ("two\r\nlines", "\"two\r\nlines\""), ("é", "é"), ("\"", "\"\"\"\""),
        ])
    func quoted(_ text: String, _ cell: String) {
        #expect(line(text) == cell + "\r\n")
    }

    @Test("what a spreadsheet would run begins with an apostrophe", arguments: ["=", "+", "-", "@", "\t"])
    func formulas(_ beginning: String) {
        #expect(line(beginning + "cmd|' /C calc'!A0") == "'" + beginning + "cmd|' /C calc'!A0\r\n")
        #expect(line("a" + beginning + "1") == "a" + beginning + "1\r\n")
    }

    @Test("a line break at the beginning is neutralised, too, and quoted", arguments: ["\r", "\n", "\r\n"])
    func lineBreaks(_ beginning: String) {
        #expect(line(beginning + "=1") == "\"'" + beginning + "=1\"\r\n")
    }

    @Test("a neutralised cell is quoted when it must be")
    func both() {
        #expect(
            line("=HYPERLINK(\"https://evil.example\",\"x\")")
                == "\"'=HYPERLINK(\"\"https://evil.example\"\",\"\"x\"\")\"\r\n")
    }

    @Test("there is a comma between cells, and none behind the last")
    func commas() {
        #expect(line("a", nil, "b", nil) == "a,,b,\r\n")
        var writer = CSVWriter()
        writer.cell(true)
        writer.cell(false)
        writer.endLine()
        writer.cell("next")
        #expect(String(decoding: writer.bytes, as: UTF8.self) == "true,false\r\nnext")
    }
}
