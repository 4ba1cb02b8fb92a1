/// Cuts a body into batches of lines, as a value: it takes pieces and returns batches.
struct LineBatcher {
    /// A batch that has this many bytes gets no further line.
    static let bytesAtOnce = 2 << 20

    /// The most lines of a batch.
    private let linesAtOnce: Int
    private var splitter: LineSplitter

    /// - Parameter splitter: may hold bytes of the body that were read before.
    init(linesAtOnce: Int, _ splitter: LineSplitter) {
        self.linesAtOnce = linesAtOnce
        self.splitter = splitter
    }

    /// How many bytes are held of lines that were not returned yet.
    var heldCount: Int { splitter.heldCount }

    mutating func append(_ piece: some Sequence<UInt8>) { splitter.append(piece) }

    /// The next batch of whole lines; `nil` until more bytes are appended. A single line does not wait for others.
    ///
    /// - Parameter more: returns bytes that arrived and were not appended yet. Called if the batch could be longer.
    mutating func next(more: () -> [some Sequence<UInt8>] = { [[UInt8]]() }) -> [LineSplitter.Line]? {
        var lines: [LineSplitter.Line] = []
        var byteCount = 0
        while lines.count < linesAtOnce, byteCount < Self.bytesAtOnce, let line = nextLine(more) {
            if case .text(let bytes) = line { byteCount += bytes.count }
            lines.append(line)
        }
        return lines.isEmpty ? nil : lines
    }

    private mutating func nextLine(_ more: () -> [some Sequence<UInt8>]) -> LineSplitter.Line? {
        if let line = splitter.next() { return line }
        for piece in more() { splitter.append(piece) }
        return splitter.next()
    }

    /// The bytes after the last line feed, once nothing more arrives and ``next()`` has returned everything else.
    mutating func last() -> [LineSplitter.Line]? { splitter.last().map { [$0] } }
}
