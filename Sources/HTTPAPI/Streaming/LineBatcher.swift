/// Cuts what arrives into batches of lines, as a value: pieces go in, batches come out.
struct LineBatcher {
    /// A batch is not made longer than this, in bytes, by one more line.
    static let bytesAtOnce = 2 << 20

    /// How many lines are a batch at most.
    private let linesAtOnce: Int
    private var splitter: LineSplitter

    /// - Parameter splitter: may hold what was read of the body before.
    init(linesAtOnce: Int, _ splitter: LineSplitter) {
        self.linesAtOnce = linesAtOnce
        self.splitter = splitter
    }

    /// How many bytes are held of lines that were not given yet.
    var heldCount: Int { splitter.heldCount }

    mutating func append(_ piece: some Sequence<UInt8>) { splitter.append(piece) }

    /// The next batch of whole lines; `nil` until more has arrived. A lone line does not wait for company.
    ///
    /// - Parameter more: what has arrived and was not appended yet. It is asked where the batch could be longer.
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

    /// What stands behind the last line feed, once nothing more arrives and ``next()`` has given everything else.
    mutating func last() -> [LineSplitter.Line]? { splitter.last().map { [$0] } }
}
