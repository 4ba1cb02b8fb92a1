import Testing

@testable import Ledger

@Suite struct LineReaderTests {
    private func lines(_ text: String) -> [String] {
        var reader = LineReader(Array(text.utf8))
        var lines: [String] = []
        while let line = reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines + (reader.rest.isEmpty ? [] : ["rest: " + String(decoding: reader.rest, as: UTF8.self)])
    }

    @Test(
        "a line ends with its newline, and what does not end is left",
        arguments: [
            ("", []), ("a", ["rest: a"]), ("a\n", ["a"]), ("a\nb", ["a", "rest: b"]), ("\n\n", ["", ""]),
            ("a\r\n", ["a\r"]),
        ])
    func lines(_ text: String, _ expected: [String]) { #expect(lines(text) == expected) }

    @Test(
        "a label is taken with its line, or nothing is",
        arguments: [
            ("index 5\nx", "5", "x"), ("index \nx", "", "x"), ("index\nx", nil, "index\nx"),
            ("index5\nx", nil, "index5\nx"), ("Index 5\n", nil, "Index 5\n"), ("index 5", nil, "index 5"),
            ("", nil, ""),
        ] as [(String, String?, String)])
    func label(_ text: String, _ value: String?, _ rest: String) {
        var reader = LineReader(Array(text.utf8))
        let found = reader.next(labelled: "index").map { String(decoding: $0, as: UTF8.self) }
        #expect(found == value)
        #expect(String(decoding: reader.rest, as: UTF8.self) == rest)
    }

    @Test("hashes stand before an empty line, no more than a proof can have, and nothing else stands among them")
    func hashes() {
        let hash = TreeHash(InlineArray(repeating: 7))
        func read(_ text: String) -> (hashes: [TreeHash]?, rest: String) {
            var reader = LineReader(Array(text.utf8))
            let hashes = reader.hashes()
            return (hashes, String(decoding: reader.rest, as: UTF8.self))
        }
        let line = hash.text + "\n"
        #expect(read("\nx").hashes == [])
        #expect(read("\nx").rest == "x")
        #expect(read(line + line + "\nx").hashes == [hash, hash])
        #expect(read(line + line + "\nx").rest == "x")
        #expect(read(String(repeating: line, count: 128) + "\n").hashes?.count == 128)
        let tooMany = String(repeating: line, count: 129) + "\n"
        let (padded, cut) = (" " + line + "\n", String(line.dropLast(2)) + "\n\n")
        let unpadded = line.replacing("=", with: "") + "\n"
        let wrongs: [String] = [tooMany, line, "", line + "nonsense\n\n", padded, cut, unpadded]
        for wrong in wrongs {
            #expect(read(wrong).hashes == nil)
        }
    }

    @Test(
        "a number is digits, and none before it that says nothing",
        arguments: [
            ("0", 0), ("7", 7), ("10", 10), ("18446744073709551615", UInt64.max), ("18446744073709551616", nil),
            ("99999999999999999999999", nil), ("", nil), ("00", nil), ("01", nil), ("+1", nil), ("-1", nil),
            (" 1", nil),
            ("1 ", nil), ("1.0", nil), ("0x1", nil), ("１", nil),
        ] as [(String, UInt64?)])
    func numbers(_ text: String, _ number: UInt64?) { #expect(UInt64(decimal: Array(text.utf8)[...]) == number) }
}

@Suite struct KeyNameTests {
    @Test(
        "a name has no white space, no plus sign and no control character",
        arguments: [
            "", " ", "a b", "a+b", "a\n", "a\u{0}", "a\u{A0}b", "a\u{2028}b", "\u{85}",
            String(repeating: "x", count: 5000),
        ])
    func refused(_ name: String) { #expect(throws: LedgerError.self) { try KeyName(name) } }

    @Test("names are told apart by their bytes, so that no two spellings are one ledger")
    func equality() throws {
        let (one, other) = (try KeyName("caf\u{E9}/acme"), try KeyName("cafe\u{301}/acme"))
        #expect(one != other)
        #expect(Set([one, other]).count == 2)
        #expect(one == (try KeyName("caf\u{E9}/acme")))
    }
}
