import JSON
import NIOCore

/// Reusable memory for the answers of a stream. Fresh memory comes from the system and returns to it page by page,
/// which costs more than writing the answers.
struct ResponseBuffers {
    /// In bytes: longer pieces are written into memory of their own.
    private static let maximumKeptSize = 512 << 10
    /// The usual number of pieces that the connection has not written yet.
    private static let count = 4

    /// The lines that are written and not taken yet.
    var lines = JSONWriter()
    /// In bytes: how much was taken since ``hasTaken(_:)`` last returned true.
    private var taken = 0
    private var buffers = [ByteBuffer](repeating: ByteBuffer(), count: count)
    private var turn = 0

    init(lines: JSONWriter = JSONWriter()) { self.lines = lines }

    /// Whether at least `bytes` were taken since it last returned true.
    mutating func hasTaken(_ bytes: Int) -> Bool {
        guard taken >= bytes else { return false }
        taken = 0
        return true
    }

    /// The lines that were written, for the connection.
    mutating func takeLines() -> ByteBuffer {
        let length = lines.bytes.count
        taken += length
        defer { lines.removeBytes(keepingCapacity: length <= Self.maximumKeptSize) }
        guard length <= Self.maximumKeptSize else { return ByteBuffer(bytes: lines.bytes) }
        turn = (turn + 1) % Self.count
        // Uses other memory if the connection still has this piece.
        buffers[turn].clear()
        buffers[turn].writeBytes(lines.bytes)
        return buffers[turn]
    }
}
