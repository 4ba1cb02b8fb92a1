/// Finds the line of a byte, for places in ascending order.
struct LineCounter<Source: IndexedBytes> {
    private let source: Source
    private var position = 0
    private var line = 1

    init(_ source: Source) { self.source = source }

    /// Lines are counted from 1 and end with a line feed.
    mutating func line(of offset: Int) -> Int {
        if position < offset {
            line += source.count(of: UInt8(ascii: "\n"), in: position..<offset)
            position = offset
        }
        return line
    }
}
