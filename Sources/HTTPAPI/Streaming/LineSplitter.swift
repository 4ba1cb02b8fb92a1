import Glibc

/// Cuts a stream of bytes at its line feeds, whatever pieces it arrives in.
///
/// A carriage return before the line feed stays in the line: to JSON it is white space. What stands behind the last line
/// feed is a line too, if anything does.
struct LineSplitter {
    enum Line: Equatable {
        case text([UInt8])
        /// Longer than the limit. Its bytes were passed over as they came.
        case tooLong
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// In bytes, without the line feed.
    var limit: Int
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where no line feed was found.
    private var searched = 0
    private var isPassingOver = false

    init(limit: Int) { self.limit = limit }

    /// How many bytes are held. They are never more than a line and what was appended last.
    var heldCount: Int { bytes.count - start }

    mutating func append(_ piece: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next whole line; `nil` until more has arrived.
    mutating func next() -> Line? {
        guard let end = lineFeed(from: searched) else {
            searched = bytes.count
            if isPassingOver || heldCount > limit { passOver() }
            return nil
        }
        defer {
            start = end + 1
            searched = start
            isPassingOver = false
        }
        return isPassingOver || end - start > limit ? .tooLong : .text(Array(bytes[start..<end]))
    }

    /// What stands behind the last line feed, once there is no more to come and ``next()`` has given everything else.
    mutating func last() -> Line? {
        defer { self = LineSplitter(limit: limit) }
        if isPassingOver || heldCount > limit { return .tooLong }
        return heldCount > 0 ? .text(Array(bytes[start...])) : nil
    }

    private func lineFeed(from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, start < bytes.count,
                let found = memchr(base + start, CInt(Self.lineFeed), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private mutating func passOver() {
        isPassingOver = true
        bytes.removeAll(keepingCapacity: true)
        start = 0
        searched = 0
    }
}
