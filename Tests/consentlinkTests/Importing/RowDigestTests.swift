import TestSupport
import Testing

@testable import consentlink

@Suite struct RowDigestTests {
    private func rows(_ text: String) async throws -> [ImportRow] {
        try await TemporaryFolder.with { folder in
            var source = ImportSource(try InputFile(path: try folder.write(text, to: "rows")), .json)
            return try await source.next()?.rows ?? []
        }
    }

    private func digest(_ text: String, _ rule: RowDigest.Rule = .bytes) async throws -> RowDigest {
        var digest = RowDigest(rule)
        digest.add(try await rows(text))
        return digest
    }

    @Test("a digest changes by every byte of a row that was refused; those of version 2 by the reason alone")
    func refused() async throws {
        let long = String(repeating: "x", count: 3 * CSVReader.maximumLength)
        for (one, other) in [("[1]", "[2]"), ("{", "{\"a\""), (long + "a", long + "b"), ("a" + long, "b" + long)] {
            #expect(try await digest("\(one)\n{}") != digest("\(other)\n{}"))
        }
        #expect(try await digest("[1]", .reason) == digest("[2]", .reason))
        #expect(try await digest("[1]\r\n") == digest("[1]"), "the line end is not of the row")
        #expect(try await digest("{}\r\n") == digest("{}"))
        #expect(try await digest("[1]") != digest("[1]", .reason))
    }

    @Test("a digest changes by every line, every byte and every reason")
    func content() async throws {
        let first = try await digest("{\"a\":1}\n{\"a\":2}\n")
        #expect(first.text.count == 64)
        #expect(try await digest("{\"a\":1}\n{\"a\":2}") == first)
        for other in [
            "{\"a\":1}\n{\"a\":3}", "{\"a\":1}\n\n{\"a\":2}", "{\"a\":2}\n{\"a\":1}", "{\"a\":1}\n1", "{\"a\":1}\n{",
            "{\"a\":1}", "",
        ] { #expect(try await digest(other) != first) }
    }

    @Test("a digest is the same wherever batches ended; that of version 1 was not")
    func batches() async throws {
        let rows = try await rows((1...9).map { "{\"a\":\($0)}\n" }.joined())
        var whole = RowDigest()
        var earlier = BatchDigest("", ends: [])
        whole.add(rows)
        earlier.add(rows)
        for cut in 1...8 {
            var parts = RowDigest()
            var earlierParts = BatchDigest("", ends: [])
            for part in [Array(rows[..<cut]), Array(rows[cut...])] {
                parts.add(part)
                earlierParts.add(part)
            }
            #expect(parts == whole)
            #expect(earlierParts != earlier)
        }
    }

    @Test("digests are what they were when journals with them were written")
    func vectors() async throws {
        let rows = try await rows((1...6).map { "\n{\"recipient\":\"p\($0)\",\"state\":\"given\"}" }.joined())
        var digest = RowDigest()
        digest.add(Array(rows[..<4]))
        #expect(digest.text == "3a8854a1eb45eb0ce99bc5e85700ed49d3515f5d7273728d4e0e1af3919f14f8")
        var earlier = BatchDigest("", ends: [4])
        earlier.add(Array(rows[..<4]))
        #expect(earlier.text == "a6296c99dc3117eb78c4c14f6b4223ef765c45ebdeb92ff7dc7bb6ea884ff3fa")
        earlier.add(Array(rows[4...]))
        #expect(earlier.text == "bb22cc29d69b074cca1f4ce776c14c16140b318cceddded8f0b01c6bbf95dc34")
    }

    @Test("a digest is read as it was written, and nothing else is one")
    func text() async throws {
        let digest = try await digest("{}")
        #expect(RowDigest(digest.text) == digest)
        #expect(RowDigest("") == RowDigest())
        for text in ["a", "ab", digest.text + "00", "x" + digest.text.dropFirst(), " "] {
            #expect(RowDigest(text) == nil)
        }
    }

    @Test("the next end of a batch is the least behind its first row")
    func ends() {
        let digest = BatchDigest("", ends: [8, 4, 4])
        #expect([0, 3, 4, 7, 8].map { digest.end(after: $0) } == [4, 4, 8, 8, nil])
    }
}
