import JSON
import Testing

@testable import consentlink

@Suite struct JSONRowsTests {
    private func rows(_ bytes: [UInt8], by length: Int = .max) -> [ImportRow] {
        var reader = JSONRows()
        var rows: [ImportRow] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            rows += reader.read(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return rows + reader.last()
    }

    /// Each row with its line: its JSON, or `!` and why it is refused.
    private func text(_ rows: [ImportRow]) -> [String] {
        rows.map { row in
            switch row.content {
            case .record(let json, let hasTime):
                "\(row.line)\(hasTime ? "t" : "") \(String(decoding: json, as: UTF8.self))"
            case .refused(let fault): "\(row.line) !\(fault.reason)"
            }
        }
    }

    @Test(
        "each line is a record, blank ones are left out and counted",
        arguments: [
            ("", []),
            ("\n\n", []),
            ("{}", ["1 {}"]),
            ("{}\n", ["1 {}"]),
            ("{ \"a\" : 1 }\r\n{}\r\n", ["1 {\"a\":1}", "2 {}"]),
            ("\n \t\r\n{}\n", ["3 {}"]),
            ("\u{FEFF}{}\n", ["1 {}"]),
            (#"{"occurredAt":"2026-01-01T00:00:00Z"}"#, [#"1t {"occurredAt":"2026-01-01T00:00:00Z"}"#]),
            (#"{"occurredAt":null}"#, [#"1 {"occurredAt":null}"#]),
            (#"{"evidence":{"occurredAt":1}}"#, [#"1 {"evidence":{"occurredAt":1}}"#]),
        ])
    func lines(_ text: String, _ rows: [String]) {
        for length in [1, 3, .max] { #expect(self.text(self.rows(Array(text.utf8), by: length)) == rows) }
    }

    @Test("what is no object is refused by its line", arguments: ["[]", "1", "null", "\"x\"", "true"])
    func noObject(_ value: String) {
        #expect(text(rows(Array("{}\n\(value)\n{}".utf8))) == ["1 {}", "2 !it is not a JSON object", "3 {}"])
    }

    @Test(
        "what is no JSON is refused with its place, and the reason names nothing that stood there",
        arguments: [
            "{\"secret\":1,\"secret\":2}", "{\"secret\":{\"secret\":1,\"secret\":2}}", "{\"secret\":}", "{\"secret\"",
            "secret", "{\"secret\":tru}", "{}secret", "\u{FEFF}{}",
        ])
    func noJSON(_ value: String) throws {
        let found = rows(Array("{}\n\(value)\n".utf8))
        #expect(found.map(\.line) == [1, 2])
        guard case .refused(let fault) = try #require(found.last).content else {
            Issue.record("it was taken")
            return
        }
        #expect(!fault.reason.isEmpty && !fault.reason.contains("secret"))
    }

    @Test(
        "of a member that stands twice the name is told where it is one of a consent record",
        arguments: [
            (#"{"state":"given","state":"given"}"#, "duplicate member /state"),
            (#"{"evidence":{"notice":{"id":1,"id":2}}}"#, "duplicate member /evidence/notice/id"),
            (#"{"ana@example.com":1,"ana@example.com":2}"#, "it has a member twice"),
            (#"{"evidence":{"ana":1,"ana":2}}"#, "/evidence has a member twice"),
            (#"{"evidence":{"ana":{"id":1,"id":2}}}"#, "/evidence has a member twice"),
        ])
    func duplicates(_ line: String, _ reason: String) { #expect(text(rows(Array(line.utf8))) == ["1 !\(reason)"]) }

    @Test("a line that would make the array of all lines too deep or too long is refused by itself")
    func limits() throws {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth - 1) + String(repeating: "]", count: depth - 1) + "}"
        }
        func filled(_ count: Int) -> String {
            #"{"a":["# + Array(repeating: "0", count: count).joined(separator: ",") + "]}"
        }
        for line in [nested(64), filled(6000)] {
            let found = rows(Array("{}\n\(line)\n{}".utf8))
            #expect(found.map(\.line) == [1, 2, 3])
            guard case .refused = found[1].content else {
                Issue.record("it was taken")
                continue
            }
        }
        let taken = rows(Array("\(nested(63))\n".utf8)) + (0..<999).flatMap { _ in rows(Array(filled(1000).utf8)) }
        var body = Array("[".utf8)
        for row in taken {
            guard case .record(let json, _) = row.content else {
                Issue.record("\(row)")
                return
            }
            if body.count > 1 { body.append(UInt8(ascii: ",")) }
            body += json
        }
        #expect(throws: Never.self) { _ = try JSONValue.parse(body + [UInt8(ascii: "]")]) }
    }

    @Test("a line that is not UTF-8 is refused")
    func encoding() {
        let found = rows(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{}".utf8))
        #expect(found.count == 2)
        guard case .refused = found[0].content, case .record = found[1].content else {
            Issue.record("\(found)")
            return
        }
    }

    @Test("a line of the greatest length is read, one byte more is refused, and the next line is read")
    func length() {
        for (count, isRefused) in [(CSVReader.maximumLength, false), (CSVReader.maximumLength + 1, true)] {
            let filling = String(repeating: "x", count: count - #"{"a":""}"#.utf8.count)
            let lines = Array(#"{"a":"\#(filling)"}"#.utf8) + Array("\n{}\n".utf8)
            for length in [1000, .max] {
                let found = rows(lines, by: length)
                #expect(found.map(\.line) == [1, 2])
                if case .refused(let fault) = found[0].content {
                    #expect(isRefused && fault.reason == "it is longer than 65536 bytes")
                } else {
                    #expect(!isRefused)
                }
                guard case .record = found[1].content else {
                    Issue.record("the next line is \(found[1].content)")
                    return
                }
            }
        }
    }

    @Test("a last line that is too long is not forgotten")
    func tooLongAtTheEnd() {
        let found = rows([UInt8](repeating: UInt8(ascii: "x"), count: CSVReader.maximumLength + 1))
        #expect(text(found) == ["1 !it is longer than 65536 bytes"])
    }

    @Test("a byte order mark is left out at the beginning of the file alone")
    func byteOrderMark() {
        #expect(text(rows(Array("\u{FEFF}{\"a\":1}".utf8))) == ["1 {\"a\":1}"])
        let later = rows(Array("{}\n\u{FEFF}{}".utf8))
        guard case .refused = later[1].content else {
            Issue.record("it was taken")
            return
        }
    }
}
