import Glibc

/// Cuts a stream of bytes at its line feeds. The bytes may arrive in any pieces.
///
/// A carriage return before the line feed stays in the line: JSON treats it as white space. Bytes after the last line
/// feed are a line, too.
struct LineSplitter {
    enum Line: Equatable {
        case text([UInt8])
        /// Longer than the limit. Its bytes were dropped as they arrived.
        case tooLong
    }

    private static let lineFeed = UInt8(ascii: "\n")

    /// The longest line, in bytes, without the line feed.
    var limit: Int
    private var bytes: [UInt8] = []
    /// The beginning of the next line.
    private var start = 0
    /// The end of the bytes that were searched and have no line feed.
    private var searched = 0
    private var isPassingOver = false

    init(limit: Int) { self.limit = limit }

    /// How many bytes are held: at most one line and the bytes that were appended last.
    var heldCount: Int { bytes.count - start }

    mutating func append(_ piece: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: piece)
    }

    /// The next whole line; `nil` until more bytes are appended.
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

    /// The bytes after the last line feed, once no more bytes follow and ``next()`` has returned everything else.
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
