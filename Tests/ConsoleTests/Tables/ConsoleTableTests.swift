import Identifiers
import JSON
import Pages
import TestSupport
import Testing

@testable import Console

@Suite struct ConsoleTableTests {
    private static let hostile = "\"><script>alert(1)</script>&'"

    private func table(_ cells: [ConsoleTable.Cell]) -> ConsoleTable {
        ConsoleTable(
            name: "things", caption: Self.hostile, columns: cells.indices.map { .init("c\($0)", "Title \($0)") },
            rows: [cells], whenEmpty: Self.hostile)
    }

    private func csv(_ table: ConsoleTable) -> String { String(decoding: table.csv, as: UTF8.self) }

    private func json(_ table: ConsoleTable) -> String {
        var writer = JSONWriter()
        writer.object { table.write(to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func html(_ table: ConsoleTable) -> String { table.html(NumberFormat(language: .english)).text }

    @Test(
        "a file has what programs read, in no language",
        arguments: [
            (.text("a"), "\"a\"", "\"a\""), (.code("x-1"), "\"x-1\"", "\"x-1\""),
            (.link("shop", path: "/orgs/a"), "\"shop\"", "\"shop\""), (.number(12_345), "\"12345\"", "12345"),
            (.share(0.1234567), "\"0.123457\"", "0.123457"), (.share(nil), "", "null"), (.time(nil), "", "null"),
            (.state("Switched off", code: "off", tone: .warning), "\"off\"", "\"off\""), (.none, "", "null"),
        ] as [(ConsoleTable.Cell, String, String)])
    func files(_ cell: ConsoleTable.Cell, _ inCSV: String, _ inJSON: String) {
        #expect(csv(table([cell])) == "\"c0\"\r\n\(inCSV)\r\n")
        #expect(json(table([cell])) == "{\"things\":[{\"c0\":\(inJSON)}]}")
    }

    @Test("a time is the same in a file and for a program that reads the page")
    func times() {
        let time = Timestamp.noon.rfc3339
        #expect(csv(table([.time(.noon)])) == "\"c0\"\r\n\"\(time)\"\r\n")
        #expect(html(table([.time(.noon)])).contains("<time datetime=\"\(time)\">2026-11-22 12:00</time>"))
    }

    @Test("a formula is none in a file, and quotes and lines stay in a cell", arguments: ["=1+1", "+1", "-1", "@a"])
    func formulas(_ text: String) {
        #expect(csv(table([.text(text)])) == "\"c0\"\r\n\"'\(text)\"\r\n")
        #expect(csv(table([.text("a\"b\r\nc")])) == "\"c0\"\r\n\"a\"\"b\r\nc\"\r\n")
    }

    @Test("JSON escapes what texts have in them")
    func escapedJSON() {
        #expect(json(table([.text("a\"b\\\n")])) == "{\"things\":[{\"c0\":\"a\\\"b\\\\\\n\"}]}")
    }

    @Test("no text becomes markup, wherever it stands")
    func markup() {
        let column = ConsoleTable.Column(
            "c", Self.hostile, sort: ConsoleTable.Sort(path: "/?\(Self.hostile)", order: .ascending))
        let cells: [ConsoleTable.Cell] = [
            .text(Self.hostile), .code(Self.hostile), .link(Self.hostile, path: Self.hostile),
            .state(Self.hostile, code: "x", tone: .bad),
        ]
        let shown = ConsoleTable(
            name: "x", caption: Self.hostile, columns: cells.map { _ in column }, rows: [cells])
        for text in [html(shown), html(ConsoleTable(shown: "x", [column], [], whenEmpty: Self.hostile))] {
            #expect(!text.contains("<script") && !text.contains("'"))
            #expect(text.contains("&lt;script&gt;"))
        }
    }

    @Test("parts of a table say what they are, since they may be shown as blocks")
    func roles() {
        let sort = ConsoleTable.Sort(path: "/?sort=b", order: .descending)
        let shown = html(
            ConsoleTable(
                shown: "Things", [.text("A"), .init("b", "B", .number, sort: sort)], [[.text("one"), .number(2_000)]]))
        for part in [
            "<table role=\"table\"><caption>Things</caption>", "<thead role=\"rowgroup\"><tr role=\"row\">",
            "<th scope=\"col\" role=\"columnheader\">A</th>",
            "<th scope=\"col\" role=\"columnheader\" class=\"number\" aria-sort=\"descending\"><a href=\"/?sort=b\">B</a></th>",
            "<tbody role=\"rowgroup\">", "<th scope=\"row\" role=\"rowheader\" data-label=\"A\">one</th>",
            "<td role=\"cell\" class=\"number\" data-label=\"B\">2,000</td>",
        ] {
            #expect(shown.contains(part), "\(part) in \(shown)")
        }
    }
}
