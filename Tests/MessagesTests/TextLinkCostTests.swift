import Testing

@testable import Messages

/// How often the finder of links in a text reads each byte: a fixed number of times, whatever stands in the text.
@Suite struct TextLinkCostTests {
    private func reads(_ text: String) throws -> Int {
        let bytes = CountedBytes(bytes: Array(text.utf8))
        _ = try TextLinkFinder.search(bytes, judgement: LinkClassification(target: TargetURL.init(stored:)))
        return bytes.counter.reads
    }

    private static let mostReadsOfByte = 40

    @Test(
        "a text of any kind is read in steps that grow with its length alone",
        arguments: [
            ("", ")", ""), ("http://x", ")", ""), ("http://x", ".)", ""), ("http://x", "])", ""),
            ("http://x", "](", ""),
            ("(http://x", "(", ")"), ("[http://x", "[(", ""), ("[a](http://x/", "()", ")"), ("*http://x", "*", ""),
            ("http://x", ".", ""), ("http://x", "'", ""), ("http://x", "{{", ""), ("http://x", "%%", ""),
            ("<http://x", ">", ""), ("", "http://x", ""), ("", "http://x ", ""), ("", "http:", ""), ("", "h", ""),
            ("http://x/a", "/漢", ""), ("http://x/a", "漢", ""), ("http://x/a", "e\u{301}", ""),
            ("http://x", ",", "http://y"),
            ("", "http://x,", ""), ("", "https+notrack://x ", ""), ("", "(http://x)))) ", ""),
            ("http://x", "&amp;", ""), ("http://x", "–", ""), ("http://x", "^.", "a"), ("http://x", "–a", ""),
            ("", "http://x^", ""), ("", "–http://x ", ""), ("<http://x", " a", ""), ("", "<http://x ", ">"),
            ("", "<http://x a", ""), ("<http://x", " http://y", ">"), ("http://x", "[[", ""), ("", "http://x[[ ", ""),
            ("", "http://x<a", ""), ("", "http://x‹a", ""), ("http://x", "–", "‹a›"), ("http://x<", "a", ">"),
            ("'http://x", "'a", "'"), ("'http://x", "='", ""), ("", "'http://x'", ""), ("‘http://x", "’a", "’"),
            ("", "‘http://x’ ", ""),
        ])
    func linear(_ beginning: String, _ unit: String, _ end: String) throws {
        let counts = try [1_000, 8_000].map { size in
            let text = beginning + String(repeating: unit, count: size / unit.utf8.count) + end
            let reads = try reads(text)
            #expect(reads <= Self.mostReadsOfByte * (text.utf8.count + 16))
            return Double(reads)
        }
        #expect(counts[1] < 9 * counts[0], "grows faster than the text")
    }

    @Test("a slash far behind, which tells where letters of a path go on, is not looked for again")
    func farSlash() throws {
        let text = "http://" + String(repeating: "a", count: 4_000) + "/x" + String(repeating: "/漢", count: 1_000)
        #expect(try reads(text) <= Self.mostReadsOfByte * text.utf8.count)
    }

    @Test("brackets in a URL of any length are told from those of the sentence")
    func long() throws {
        let path = String(repeating: "(x)", count: 3_000)
        let text = "(see http://shop.example/\(path)) and (http://shop.example/b(c)))."
        let links = try Array(text.utf8).withUnsafeBufferPointer { bytes in
            try TextLinkFinder.search(bytes, judgement: LinkClassification(target: TargetURL.init(stored:))).links
        }
        #expect(links.map(\.url) == ["http://shop.example/\(path)", "http://shop.example/b(c)"])
    }
}
