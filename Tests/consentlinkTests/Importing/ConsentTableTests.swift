import ArgumentParser
import JSON
import Testing

@testable import consentlink

@Suite struct ConsentTableTests {
    private func record(_ fields: [String], line: Int = 1, fault: String? = nil) -> CSVReader.Record {
        CSVReader.Record(
            lines: line...line, bytes: RowBytes(), fields: fields.map { Array($0.utf8) }, fault: fault)
    }

    private func row(_ headings: String, _ cells: [String]) throws -> ImportRow? {
        let table = try ConsentTable(record(headings.split(separator: ",").map(String.init)))
        return table.row(record(cells, line: 7))
    }

    private func content(_ headings: String, _ cells: [String]) throws -> (json: String, hasTime: Bool)? {
        guard case .record(let json, let hasTime) = try row(headings, cells)?.content else { return nil }
        return (String(decoding: json, as: UTF8.self), hasTime)
    }

    private func refusal(_ headings: String, _ cells: [String]) throws -> String? {
        guard case .refused(let fault) = try row(headings, cells)?.content else { return nil }
        return fault.reason
    }

    private func failureOf(_ headings: [[UInt8]], fault: String? = nil) -> CommandFailure? {
        do throws(CommandFailure) {
            _ = try ConsentTable(CSVReader.Record(lines: 1...1, bytes: RowBytes(), fields: headings, fault: fault))
            return nil
        } catch { return error }
    }

    @Test(
        "a recipient with white space around it is refused, and one with some in it is not",
        arguments: [
            " ana", "ana ", "\tana", "ana\u{A0}", " ", "\u{200B}ana", "ana\u{200B}", "\u{202A}ana\u{202C}",
            "ana\u{200E}", "\u{FEFF}ana", "ana\u{3000}", "\u{2060}", "a\u{AD}",
            "ana\u{34F}", "ana\u{FE0F}", "ana\u{E0061}\u{E007F}", "\u{FE0F}ana",
        ])
    func space(_ recipient: String) throws {
        let reason = try refusal("recipient,state", [recipient, "given"])
        #expect(
            reason == "recipient begins or ends with white space or an invisible character, which would be part of it")
        #expect(try refusal("recipient,state", ["Ana B", "given"]) == nil)
    }

    @Test(
        "a recipient is taken whose first and last characters are seen",
        arguments: ["a\u{200B}b", "é", "e\u{301}", "❤️", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{600}1", "نامه‌ای", "한"])
    func seen(_ recipient: String) throws {
        #expect(try refusal("recipient,state", [recipient, "given"]) == nil)
    }

    @Test(
        "a row is a consent record as the API takes it",
        arguments: [
            (
                "recipient,state", ["ana@example.com", "given"], #"{"recipient":"ana@example.com","state":"given"}"#,
                false
            ),
            ("state,recipient", ["given", "ana"], #"{"recipient":"ana","state":"given"}"#, false),
            ("recipient,state", ["", ""], #"{"recipient":"","state":""}"#, false),
            (
                "recipient,state,occurredAt", ["ana", "given", "2026-01-01T00:00:00Z"],
                #"{"recipient":"ana","state":"given","occurredAt":"2026-01-01T00:00:00Z"}"#, true
            ),
            ("recipient,state,occurredAt", ["ana", "given", ""], #"{"recipient":"ana","state":"given"}"#, false),
            (
                "recipient,state,evidence.method", ["ana", "given", "form"],
                #"{"recipient":"ana","state":"given","evidence":{"method":"form"}}"#, false
            ),
            (
                "recipient,state,evidence.notice.id,evidence.notice.sha256", ["ana", "given", "n1", "00"],
                #"{"recipient":"ana","state":"given","evidence":{"notice":{"id":"n1","sha256":"00"}}}"#, false
            ),
            (
                "recipient,state,evidence.method,evidence.notice.id", ["ana", "given", "", ""],
                #"{"recipient":"ana","state":"given"}"#, false
            ),
            ("recipient,state", ["a\"b\\c\n", "given"], #"{"recipient":"a\"b\\c\n","state":"given"}"#, false),
        ])
    func rows(_ headings: String, _ cells: [String], _ json: String, _ hasTime: Bool) throws {
        let found = try #require(try content(headings, cells))
        #expect(found.json == json)
        #expect(found.hasTime == hasTime)
    }

    @Test("every column of the documentation stands where the API has it")
    func allColumns() throws {
        let cells = ConsentTable.columns.map { "<\($0)>" }
        let found = try #require(try content(ConsentTable.columns.joined(separator: ","), cells))
        let document = try JSONValue.parse(Array(found.json.utf8))
        for column in ConsentTable.columns {
            let value = column.split(separator: ".").reduce(JSONValue?.some(document)) { $0?[String($1)] }
            #expect(value == .string("<\(column)>"), "\(column)")
        }
        #expect(found.hasTime)
    }

    @Test(
        "headings are known in any case, and with spaces around them",
        arguments: ["Recipient,STATE", " recipient , state ", "RECIPIENT,State", "reci pient,state"])
    func headings(_ headings: String) throws {
        #expect(try content(headings, ["ana", "given"])?.json == #"{"recipient":"ana","state":"given"}"#)
    }

    @Test(
        "what is no table of consent records is wrong usage, and the message says why",
        arguments: [
            ("email,state", "line 1 must name the columns, and field 1 of it names none; the columns are recipient, "),
            ("recipient,state,state", "it has a column twice"),
            ("recipient,State,state", "it has a column twice"),
            ("recipient", "it has no column state; the columns are recipient, "),
            ("state", "it has no column recipient; the columns are recipient, "),
            ("recipient,state,", "line 1 must name the columns, and field 3 of it names none"),
            ("recipient,state,\u{1B}[2J", "line 1 must name the columns, and field 3 of it names none"),
            ("ana@example.com,given", "line 1 must name the columns, and field 1 of it names none"),
        ])
    func wrongHeadings(_ headings: String, _ text: String) throws {
        let fields = headings.split(separator: ",", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let failure = try #require(failureOf(fields))
        #expect(failure.exitCode == ExitStatus.usage)
        #expect(failure.description.hasPrefix("consentlink: not a table of consent records: \(text)"))
    }

    @Test("lines of JSON are named as such, before a fault that they have as a table")
    func jsonLines() throws {
        let fields = [#"{"recipient":"ana""#, #"state":"given"}"#].map { Array($0.utf8) }
        let failure = try #require(failureOf(fields, fault: "text follows a closing quote"))
        #expect(failure.description.hasSuffix("if each line of it is an object, add --json-lines"))
        #expect(!failure.description.contains("ana"))
    }

    @Test("a file in UTF-16 is named as such, in either order of bytes")
    func utf16() throws {
        for mark in [[0xFF, 0xFE], [0xFE, 0xFF]] as [[UInt8]] {
            let failure = try #require(failureOf([mark + [0x72, 0x00]]))
            #expect(failure.description.hasSuffix("it is UTF-16; save it as UTF-8"))
        }
    }

    @Test("headings with a fault of their own are told with their line")
    func faultyHeadings() throws {
        let failure = try #require(failureOf([Array("recipient".utf8)], fault: "a quote is opened and never closed"))
        #expect(failure.description.hasSuffix("line 1: a quote is opened and never closed"))
    }

    @Test(
        "a row that does not fit the headings is refused with what it has",
        arguments: [
            (["ana"], "it has 1 field, and the header has 2"),
            (["ana", "given", "x"], "it has 3 fields, and the header has 2"),
            (["", "", ""], "it has 3 fields, and the header has 2"),
        ])
    func fields(_ cells: [String], _ reason: String) throws {
        #expect(try refusal("recipient,state", cells) == reason)
    }

    @Test("a cell that is not UTF-8 is refused with its column, and what stood in it is not told")
    func encoding() throws {
        let table = try ConsentTable(record(["recipient", "state"]))
        let broken = CSVReader.Record(
            lines: 3...3, bytes: RowBytes(), fields: [[0x61, 0xFF], Array("given".utf8)], fault: nil)
        let row = try #require(table.row(broken))
        #expect(row.line == 3)
        guard case .refused(let fault) = row.content else {
            Issue.record("it was taken")
            return
        }
        #expect(fault.reason == "recipient is not UTF-8")
    }

    @Test("a faulty record is refused with its fault, a blank line is no row")
    func faultAndBlank() throws {
        let table = try ConsentTable(record(["recipient", "state"]))
        #expect(table.row(record([""])) == nil)
        guard case .refused(let fault)? = table.row(record([""], fault: "it is longer"))?.content else {
            Issue.record("it was taken")
            return
        }
        #expect(fault.reason == "it is longer")
    }

    @Test("a row keeps the line on which it begins")
    func line() throws { #expect(try row("recipient,state", ["ana", "given"])?.line == 7) }
}
