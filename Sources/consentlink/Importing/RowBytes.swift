import Cryptography

/// The bytes of a row without its line end, of which no more than a block is held: as they are while they fit, and with
/// a hash of what came before them where they do not.
struct RowBytes: Sendable {
    /// Of the blocks before, chained; none while there are none.
    private var folded: [UInt8] = []
    private var block: [UInt8] = []

    /// All of them; `nil` when they are more than ``CSVReader/greatestLength``.
    var whole: [UInt8]? { folded.isEmpty ? block : nil }
    var isEmpty: Bool { block.isEmpty }

    /// Of all of them, without a carriage return at their end: it belongs to the line end, which the last line of a file
    /// may not have yet.
    var hash: [UInt8] {
        SHA256.hash(of: folded + (block.last == UInt8(ascii: "\r") ? block.dropLast() : block[...]))
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            if block.count == CSVReader.greatestLength { fold() }
            let part = rest.prefix(CSVReader.greatestLength - block.count)
            block += part
            rest = rest.dropFirst(part.count)
        }
    }

    private mutating func fold() {
        folded = SHA256.hash(of: folded + block)
        block.removeAll(keepingCapacity: true)
    }
}
