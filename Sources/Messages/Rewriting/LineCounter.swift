/// Says on which line a byte stands, for places that come in their order.
struct LineCounter<Source: IndexedBytes> {
    private let source: Source
    private var place = 0
    private var line = 1

    init(_ source: Source) { self.source = source }

    /// Lines are counted from 1 and end with a line feed.
    mutating func line(of offset: Int) -> Int {
        while place < offset {
            if source[place] == UInt8(ascii: "\n") { line += 1 }
            place += 1
        }
        return line
    }
}

extension BodyLink {
    func on(line: Int) -> BodyLink {
        BodyLink(place: place, range: range, line: line, url: url, label: label, verdict: verdict)
    }
}
