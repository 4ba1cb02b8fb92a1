/// Says on which line a byte stands, for places that come in their order.
struct LineCounter<Source: IndexedBytes> {
    private let source: Source
    private var position = 0
    private var line = 1

    init(_ source: Source) { self.source = source }

    /// Lines are counted from 1 and end with a line feed.
    mutating func line(of offset: Int) -> Int {
        while position < offset {
            if source[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
        return line
    }
}

extension BodyLink {
    func on(line: Int) -> BodyLink {
        BodyLink(part: part, range: range, line: line, url: url, label: label, verdict: verdict)
    }
}
