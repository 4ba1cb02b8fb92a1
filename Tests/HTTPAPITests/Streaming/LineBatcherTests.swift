import Testing

@testable import HTTPAPI

@Suite struct LineBatcherTests {
    private func lines(_ texts: String...) -> [LineSplitter.Line] { texts.map { .text(Array($0.utf8)) } }

    @Test("a batch is what has arrived, up to its number of lines")
    func count() {
        var batcher = LineBatcher(linesAtOnce: 2, LineSplitter(limit: 100))
        #expect(batcher.next() == nil)
        batcher.append(Array("a\nb\nc\nd".utf8))
        #expect(batcher.next() == lines("a", "b"))
        #expect(batcher.next() == lines("c"), "a lone line does not wait for company")
        #expect(batcher.next() == nil)
        batcher.append(Array("e\n".utf8))
        #expect(batcher.next() == lines("de"))
        #expect(batcher.last() == nil)
    }

    @Test("a batch takes what has come meanwhile, where it has room for more")
    func more() {
        var batcher = LineBatcher(linesAtOnce: 2, LineSplitter(limit: 100))
        var waiting = [Array("c\nd".utf8), Array("e\nf\n".utf8)]
        batcher.append(Array("a\nb\n".utf8))
        let take = {
            defer { waiting = [] }
            return waiting
        }
        #expect(batcher.next(more: take) == lines("a", "b"))
        #expect(waiting.count == 2, "there was no room")
        #expect(batcher.next(more: take) == lines("c", "de"))
        #expect(batcher.next(more: take) == lines("f"))
        #expect(batcher.next(more: take) == nil)
    }

    @Test("what the body ends with is a batch of its own")
    func last() {
        var batcher = LineBatcher(linesAtOnce: 9, LineSplitter(limit: 100))
        batcher.append(Array("a\nb".utf8))
        #expect(batcher.next() == lines("a"))
        #expect(batcher.last() == lines("b"))
        #expect(batcher.last() == nil)
    }

    @Test("a batch gets no further line once it is a mebibyte long")
    func bytes() {
        let half = [UInt8](repeating: UInt8(ascii: "x"), count: LineBatcher.bytesAtOnce / 2)
        var batcher = LineBatcher(linesAtOnce: 9, LineSplitter(limit: half.count))
        for _ in 1...3 { batcher.append(half + [UInt8(ascii: "\n")]) }
        #expect(batcher.next()?.count == 2)
        #expect(batcher.next()?.count == 1)
    }

    @Test("lines that are too long take no room in a batch, and their number counts")
    func tooLong() {
        var batcher = LineBatcher(linesAtOnce: 2, LineSplitter(limit: 1))
        batcher.append(Array("aa\nbb\ncc\n".utf8))
        #expect(batcher.next() == [.tooLong, .tooLong])
        #expect(batcher.next() == [.tooLong])
    }
}
