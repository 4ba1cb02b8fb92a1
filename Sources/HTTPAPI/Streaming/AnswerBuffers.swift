import JSON
import NIOCore

/// What the answers of a stream are written into and given to its connection in, again and again: as much memory as they
/// take comes from the system and goes back to it page by page, which costs more than all that is written into it.
struct AnswerBuffers {
    /// In bytes: a longer piece is not written into memory that is kept.
    private static let mostKept = 512 << 10
    /// Pieces that the connection has not written yet, usually.
    private static let count = 4

    /// What is written and not taken.
    var lines = JSONWriter()
    /// In bytes: how much was taken since ``hasTaken(_:)`` was true last.
    private var taken = 0
    private var buffers = [ByteBuffer](repeating: ByteBuffer(), count: count)
    private var turn = 0

    init(lines: JSONWriter = JSONWriter()) { self.lines = lines }

    /// Whether so many bytes were taken, since it was true last.
    mutating func hasTaken(_ bytes: Int) -> Bool {
        guard taken >= bytes else { return false }
        taken = 0
        return true
    }

    /// The lines that were written, for the connection.
    mutating func takeLines() -> ByteBuffer {
        let length = lines.bytes.count
        taken += length
        defer { lines.removeBytes(keepingCapacity: length <= Self.mostKept) }
        guard length <= Self.mostKept else { return ByteBuffer(bytes: lines.bytes) }
        turn = (turn + 1) % Self.count
        // Takes other memory where the connection still has this.
        buffers[turn].clear()
        buffers[turn].writeBytes(lines.bytes)
        return buffers[turn]
    }
}
