import Testing

@testable import ConsentLinkClient

@Suite struct LineSplitterTests {
    private func lines(_ batch: LineBatch) -> [String] {
        (0..<batch.count).map { String(decoding: batch.line(at: $0), as: UTF8.self) }
    }

    @Test("lines come whole, however the pieces are cut", arguments: [1, 2, 3, 7, 100])
    func pieces(_ length: Int) throws {
        var splitter = LineSplitter()
        var found: [String] = []
        var rest = Array("one\n\ntwo three\nfour\nfi".utf8)[...]
        while !rest.isEmpty {
            let batch = try Array(rest.prefix(length)).withUnsafeBytes { try splitter.read($0) }
            #expect(batch.bytes.count { $0 == 0x0A } == batch.count)
            found += lines(batch)
            rest = rest.dropFirst(length)
        }
        #expect(found == ["one", "", "two three", "four"])
        #expect(splitter.restCount == 2)
        splitter.dropRest()
        #expect(splitter.restCount == 0)
    }

    @Test("a line that does not end is not kept for ever", arguments: [1 << 20, 128 << 20])
    func endless(_ length: Int) throws {
        var splitter = LineSplitter()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
        defer { piece.deallocate() }
        piece.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "a"))
        #expect(throws: LineSplitter.LineTooLong.self) {
            for _ in 0...(128 << 20) / length { _ = try splitter.read(UnsafeRawBufferPointer(piece)) }
        }
        #expect(splitter.restCount == 128 << 20)
    }

    @Test("a line is found in a part of a batch as in the batch")
    func parts() throws {
        var batch = LineBatch()
        for word in ["a", "bc", "", "def"] { batch.appendLine { $0 += Array(word.utf8) } }
        #expect(lines(batch) == ["a", "bc", "", "def"])
        #expect(lines(batch[1..<3]) == ["bc", ""])
        batch.removeFirst(2)
        #expect(lines(batch) == ["", "def"])
    }

    @Test("a refusal is a refusal, and 503 alone must be sent again")
    func refusals() {
        func line(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }
        #expect(AnsweredLine.refusal(line(#"{"recipient":"error"}"#)) == nil)
        #expect(AnsweredLine.refusal(line(#"{"error":{"status":422,"detail":"no"}}"#))?.detail == "no")
        #expect(AnsweredLine.refusal(line(#"{"error"broken"#))?.status == 0)
        #expect(AnsweredLine.mustBeSentAgain(line(#"{"error":{"status":503}}"#)))
        #expect(!AnsweredLine.mustBeSentAgain(line(#"{"error":{"status":422}}"#)))
        #expect(!AnsweredLine.mustBeSentAgain(line(#"{"recipient":"x"}"#)))
    }
}
