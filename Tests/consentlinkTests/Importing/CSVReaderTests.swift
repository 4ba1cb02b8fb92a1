import TestSupport
import Testing

@testable import consentlink

@Suite struct CSVReaderTests {
    /// Fields as text; a fault stands for all of a record.
    private func read(_ table: [UInt8], by length: Int = .max) -> [[String]] {
        records(table, by: length).map { record in
            record.fault.map { ["!\($0)"] } ?? record.fields.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func records(_ table: [UInt8], by length: Int = .max) -> [CSVReader.Record] {
        var reader = CSVReader()
        var records: [CSVReader.Record] = []
        var rest = table[...]
        while !rest.isEmpty {
            records += reader.read(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return records + reader.last()
    }

    @Test(
        "a table is taken apart as RFC 4180 says",
        arguments: [
            ("", []),
            ("a", [["a"]]),
            ("a,b", [["a", "b"]]),
            ("a,b\n", [["a", "b"]]),
            ("a,b\r\n1,2\r\n", [["a", "b"], ["1", "2"]]),
            ("a,b\n1,2", [["a", "b"], ["1", "2"]]),
            ("a,b\n,\n", [["a", "b"], ["", ""]]),
            ("a,b\n\n1,2\n", [["a", "b"], [""], ["1", "2"]]),
            ("a,b\n\"1,2\",3\n", [["a", "b"], ["1,2", "3"]]),
            ("a,b\n\"1\n2\",3\n", [["a", "b"], ["1\n2", "3"]]),
            ("a,b\n\"1\r\n2\",3\r\n", [["a", "b"], ["1\r\n2", "3"]]),
            ("a,b\n\"say \"\"yes\"\"\",3\n", [["a", "b"], ["say \"yes\"", "3"]]),
            ("a,b\n\"\",\"\"\n", [["a", "b"], ["", ""]]),
            ("a,b\n\"\"\"\",x\n", [["a", "b"], ["\"", "x"]]),
            ("a,b\nx\"y,z\n", [["a", "b"], ["x\"y", "z"]]),
            ("a,b\n\"1\"\r\n", [["a", "b"], ["1"]]),
            ("a,b\n1\r2,3\n", [["a", "b"], ["1\r2", "3"]]),
            ("\u{FEFF}a,b\n1,2\n", [["a", "b"], ["1", "2"]]),
            ("\u{FEFF}\"a\",b\n", [["a", "b"]]),
            ("größe,名\nü,🙂\n", [["größe", "名"], ["ü", "🙂"]]),
        ] as [(String, [[String]])])
    func table(_ text: String, _ rows: [[String]]) {
        for length in [1, 2, 3, .max] { #expect(read(Array(text.utf8), by: length) == rows, "pieces of \(length)") }
    }

    @Test(
        "what stands between the headings stands between all fields",
        arguments: [
            ("a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]),
            ("a\tb\n1;2\t3\n", [["a", "b"], ["1;2", "3"]]),
            ("a,b;c;d\n1;2;3\n", [["a,b", "c", "d"], ["1", "2", "3"]]),
            ("a\n1;2\n", [["a"], ["1;2"]]),
            ("a\n1,2\n", [["a"], ["1", "2"]]),
        ])
    func separator(_ text: String, _ rows: [[String]]) {
        for length in [1, .max] { #expect(read(Array(text.utf8), by: length) == rows) }
    }

    @Test(
        "what is no record says why, and the records behind it are read all the same",
        arguments: [
            ("a,b\n\"1\"x,2\n3,4\n", [["a", "b"], ["!text follows a closing quote"], ["3", "4"]]),
            ("a,b\n\"1\" ,2\n3,4\n", [["a", "b"], ["!text follows a closing quote"], ["3", "4"]]),
            ("a,b\n\"1,2\n3,4\n", [["a", "b"], ["!a quote is opened and never closed"]]),
            ("a,b\n\"1\"x,\"2\n", [["a", "b"], ["!text follows a closing quote"]]),
        ])
    func faults(_ text: String, _ rows: [[String]]) {
        for length in [1, 4, .max] { #expect(read(Array(text.utf8), by: length) == rows) }
    }

    @Test("a record that is too long is refused, and one of the greatest length is not")
    func length() {
        let greatest = CSVReader.maximumLength
        for (count, isRefused) in [(greatest, false), (greatest + 1, true), (3 * greatest, true)] {
            let table = Array("a\n".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: count) + Array("\ny\n".utf8)
            for length in [1000, .max] {
                let found = records(table, by: length)
                #expect(found.count == 3)
                #expect(found[1].fault == (isRefused ? "it is longer than 65536 bytes" : nil))
                #expect(found[1].fields.joined().count <= greatest)
                #expect(found[2].fields == [Array("y".utf8)], "the next one is not touched by it")
            }
        }
    }

    @Test("the greatest length is of all fields of a record together")
    func lengthOfFields() {
        let half = [UInt8](repeating: UInt8(ascii: "x"), count: CSVReader.maximumLength / 2)
        let table = Array("a,b\n".utf8) + half + Array(",".utf8) + half + Array("x\n".utf8)
        #expect(records(table)[1].fault == "it is longer than 65536 bytes")
    }

    @Test("separators are of the length of a record: a line of nothing else takes no memory for each of them")
    func lengthOfSeparators() {
        for (count, isRefused) in [(CSVReader.maximumLength, false), (CSVReader.maximumLength + 1, true)] {
            let table =
                Array("a,b\n".utf8) + [UInt8](repeating: UInt8(ascii: ","), count: count) + Array("\ny,z\n".utf8)
            let found = records(table)
            #expect(found[1].fault == (isRefused ? "it is longer than 65536 bytes" : nil))
            #expect(found[1].fields.count == CSVReader.maximumLength + 1)
            #expect(found[2].fields == [Array("y".utf8), Array("z".utf8)], "the next one is not touched by it")
        }
    }

    @Test(
        "a record that is none has the lines that a stray quote took with it",
        arguments: [
            ("a,b\n1,\"2\n3,4\n5,\"6\" x\n7,8\n", [2...4, 5...5]), ("a,b\n1,\"2\n3,4\n", [2...3]),
            ("a,b\n1,\"2\n3,4", [2...3]), ("a,b\r\n1,\"2\r\n3,4\r\n\r\n", [2...4]),
        ])
    func extents(_ table: String, _ lines: [ClosedRange<Int>]) {
        for length in [1, .max] {
            let found = records(Array(table.utf8), by: length).dropFirst()
            #expect(found.map(\.lines) == lines)
            #expect(found.first?.fault != nil)
        }
    }

    @Test("headings without a line end are no reason to hold a file of any length")
    func endlessHeadings() {
        var reader = CSVReader()
        let piece = [UInt8](repeating: UInt8(ascii: "h"), count: 16_000)
        for _ in 0..<1000 { #expect(reader.read(piece).isEmpty) }
        let records = reader.last()
        #expect(records.map(\.fault) == ["it is longer than 65536 bytes"])
        #expect(records[0].fields.joined().count == CSVReader.maximumLength)
    }

    @Test("a record is named by the lines on which it begins and ends")
    func lines() {
        let table = "a,b\n1,2\n\"3\n\n\",4\n\n5,6"
        for length in [1, .max] {
            #expect(records(Array(table.utf8), by: length).map(\.lines) == [1...1, 2...2, 3...5, 6...6, 7...7])
        }
    }

    @Test(
        "a blank line is one without anything in it",
        arguments: [
            ("\n", true), ("\r\n", true), ("\r", true), ("\r\r\n", false), ("\"\"\n", true), (",\n", false),
            (" \n", false), ("\"\n", false),
        ])
    func blank(_ line: String, _ isBlank: Bool) throws {
        let records = records(Array("a,b\n\(line)".utf8))
        #expect(try #require(records.dropFirst().first).isBlank == isBlank)
    }

    @Test("bytes that are no text are handed on as they are")
    func bytes() {
        let table = Array("a,b\n".utf8) + [0xFF, 0x00, UInt8(ascii: ","), 0xC3, UInt8(ascii: "\n")]
        #expect(records(table)[1].fields == [[0xFF, 0x00], [0xC3]])
    }

    @Test(
        "any table is read the same in pieces of any length, and no record is lost", arguments: 0..<50 as Range<UInt64>)
    func pieces(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab,,;\t\"\"\n\n\r\u{FEFF}é".utf8)
        let table = (0..<400).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
        let whole = read(table)
        for length in 1...8 { #expect(read(table, by: length) == whole) }
    }

    @Test("what is written with quotes is read as it was", arguments: 0..<50 as Range<UInt64>)
    func roundTrip(_ seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("ab,;\t\"\n\r ")
        let rows = (0..<20).map { _ in
            (0..<3).map { _ in
                String(
                    (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? "x"
                    })
            }
        }
        let lines = ([["x", "y", "z"]] + rows).map { row in
            row.map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }.joined(separator: ",")
        }
        let found = read(Array(lines.joined(separator: "\r\n").utf8))
        #expect(found.dropFirst() == rows[...])
    }
}
