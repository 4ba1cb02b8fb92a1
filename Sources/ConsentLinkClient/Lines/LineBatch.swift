/// Consecutive lines as they are sent, each with its line feed.
package struct LineBatch: Sendable {
    package private(set) var bytes: [UInt8] = []
    /// The end of each line in `bytes`.
    private var ends: [Int] = []

    package init() {}

    package var count: Int { ends.count }
    package var byteCount: Int { bytes.count }
    package var isEmpty: Bool { ends.isEmpty }

    /// Adds a line, which `write` appends without its line feed.
    ///
    /// - Throws: what `write` throws. The caller must then drop the batch: it may end with half a line.
    package mutating func appendLine(_ write: (inout [UInt8]) throws -> Void) rethrows {
        try write(&bytes)
        bytes.append(UInt8(ascii: "\n"))
        ends.append(bytes.count)
    }

    package mutating func append(_ other: LineBatch) {
        let start = bytes.count
        bytes.append(contentsOf: other.bytes)
        ends.append(contentsOf: other.ends.lazy.map { $0 + start })
    }

    package mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        let length = ends[count - 1]
        bytes.removeFirst(length)
        ends.removeFirst(count)
        for index in ends.indices { ends[index] -= length }
    }

    /// How many of the first lines of `range` have at most `byteCount` bytes together.
    package func count(of range: Range<Int>, within byteCount: Int) -> Int {
        let start = start(of: range.lowerBound)
        var (fitting, rest) = (0, range.count)
        while rest > 0 {
            let half = (rest + 1) / 2
            if ends[range.lowerBound + fitting + half - 1] - start <= byteCount {
                fitting += half
                rest -= half
            } else {
                rest = half - 1
            }
        }
        return fitting
    }

    /// The beginning of a line in `bytes`.
    private func start(of index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

    package subscript(range: Range<Int>) -> LineBatch {
        guard let last = range.last else { return LineBatch() }
        let start = start(of: range.lowerBound)
        var part = LineBatch()
        part.bytes = Array(bytes[start..<ends[last]])
        part.ends = ends[range].map { $0 - start }
        return part
    }

    /// A line without its line feed.
    package func line(at index: Int) -> ArraySlice<UInt8> {
        bytes[start(of: index)..<(ends[index] - 1)]
    }
}
