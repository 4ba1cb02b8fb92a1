import Foundation

/// Cuts what is read at its line feeds.
package struct LineSplitter: Sendable {
    package struct LineTooLong: Error {}

    /// The longest line, in bytes. A mail payload of 16 MiB, escaped, is shorter.
    private static let maximumLength = 128 << 20

    /// The beginning of a line that is not whole.
    package private(set) var rest: [UInt8] = []

    package init() {}

    /// How long ``rest`` is.
    package var restCount: Int { rest.count }

    /// Drops the beginning of a line whose rest was lost.
    package mutating func dropRest() { rest = [] }

    /// The lines that end in `piece`.
    package mutating func read(_ piece: UnsafeRawBufferPointer) throws(LineTooLong) -> LineBatch {
        var batch = LineBatch()
        var start = 0
        while let end = Self.lineFeed(in: piece, from: start) {
            batch.appendLine { bytes in
                bytes.append(contentsOf: rest)
                bytes.append(contentsOf: piece[start..<end])
            }
            rest.removeAll()
            start = end + 1
        }
        guard rest.count + piece.count - start <= Self.maximumLength else { throw LineTooLong() }
        rest.append(contentsOf: piece[start...])
        return batch
    }

    private static func lineFeed(in piece: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = piece.baseAddress, start < piece.count,
            let found = memchr(base + start, CInt(UInt8(ascii: "\n")), piece.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
