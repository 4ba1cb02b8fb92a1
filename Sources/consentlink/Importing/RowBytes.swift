import Cryptography

/// The bytes of a row without its line end. At most one block is held in memory: the bytes themselves if they fit, else
/// also a hash of the earlier blocks.
struct RowBytes: Sendable {
    /// The chained hash of the earlier blocks; empty if there are none.
    private var folded: [UInt8] = []
    private var block: [UInt8] = []

    /// All bytes; `nil` if there are more than ``CSVReader/maximumLength``.
    var whole: [UInt8]? { folded.isEmpty ? block : nil }
    var isEmpty: Bool { block.isEmpty }

    /// The hash of all bytes, without a carriage return at their end: it belongs to the line end, which the last line
    /// of a file may not have yet.
    var hash: [UInt8] {
        SHA256.hash(of: folded + (block.last == UInt8(ascii: "\r") ? block.dropLast() : block[...]))
    }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        var rest = bytes
        while !rest.isEmpty {
            if block.count == CSVReader.maximumLength { fold() }
            let part = rest.prefix(CSVReader.maximumLength - block.count)
            block += part
            rest = rest.dropFirst(part.count)
        }
    }

    private mutating func fold() {
        folded = SHA256.hash(of: folded + block)
        block.removeAll(keepingCapacity: true)
    }
}
