import Foundation

/// Cuts what the service answers at its line feeds and counts the lines.
struct AnswerSplitter: Sendable {
    /// Whole lines that came in one piece.
    struct Cut {
        var bytes: [UInt8] = []
        var count = 0
        /// The line behind them must be sent again, and with it everything after it.
        var mustStop = false
    }

    struct LineTooLong: Error {}

    /// In bytes; a payload of a mail of 16 MiB, escaped, has less.
    private static let greatestLength = 128 << 20

    private(set) var counts = AnswerCounts()
    /// The last payload, for whoever compares it with the recipients, and its line from 1.
    private(set) var lastPayload: (line: Int, bytes: [UInt8])?
    /// Whether ``lastPayload`` is wanted.
    var keepsLastPayload = false
    private var rest: [UInt8] = []

    /// The beginning of a line that is not whole.
    var restCount: Int { rest.count }

    /// Forgets the beginning of a line: the rest of it was lost.
    mutating func dropRest() { rest = [] }

    mutating func read(_ piece: UnsafeRawBufferPointer) throws(LineTooLong) -> Cut {
        var cut = Cut()
        var start = 0
        while !cut.mustStop, let end = Self.lineFeed(in: piece, from: start) {
            if rest.isEmpty {
                add(UnsafeRawBufferPointer(rebasing: piece[start..<end]), to: &cut)
            } else {
                var line = rest
                rest = []
                line.append(contentsOf: piece[start..<end])
                line.withUnsafeBytes { add($0, to: &cut) }
            }
            start = end + 1
        }
        guard !cut.mustStop else { return cut }
        guard rest.count + piece.count - start <= Self.greatestLength else { throw LineTooLong() }
        rest.append(contentsOf: piece[start...])
        return cut
    }

    private mutating func add(_ line: UnsafeRawBufferPointer, to cut: inout Cut) {
        switch counts.add(line) {
        case .mustBeSentAgain:
            cut.mustStop = true
            return
        case .payload: if keepsLastPayload { lastPayload = (counts.lines, Array(line)) }
        case .refusal: break
        }
        cut.bytes.append(contentsOf: line)
        cut.bytes.append(UInt8(ascii: "\n"))
        cut.count += 1
    }

    private static func lineFeed(in piece: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = piece.baseAddress, start < piece.count,
            let found = memchr(base + start, CInt(UInt8(ascii: "\n")), piece.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}
