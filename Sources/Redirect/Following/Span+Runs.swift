/// Where runs of ASCII end, looked for in eight bytes at a time: most of a request is such runs.
extension Span<UInt8> {
    /// Where visible ASCII and spaces end, from `start` on.
    func endOfText(from start: Int) -> Int {
        endOfRun(from: start) { $0.below(0x20) | $0.above(0x7E) }
    }

    /// Where visible ASCII without `#` ends, from `start` on.
    func endOfTarget(from start: Int) -> Int {
        endOfRun(from: start) { $0.below(0x21) | $0.above(0x7E) | $0.equal(to: UInt8(ascii: "#")) }
    }

    /// Where visible ASCII without `#` and bytes from 0x80 on end, from `start` on.
    func endOfUnescapedTarget(from start: Int) -> Int {
        endOfRun(from: start) { $0.below(0x21) | $0.equal(to: 0x7F) | $0.equal(to: UInt8(ascii: "#")) }
    }

    /// - Parameter stops: the bytes that end the run.
    @inline(__always)
    private func endOfRun(from start: Int, _ stops: (EightBytes) -> EightBytes.Marks) -> Int {
        precondition(start >= 0)
        var position = start
        while position + 8 <= count {
            let word = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: position, as: UInt64.self)
            if let place = stops(EightBytes(asInMemory: word)).first { return position + place }
            position += 8
        }
        while position < count, stops(EightBytes(repeating: self[unchecked: position])).first == nil { position += 1 }
        return position
    }
}

/// Eight bytes that are compared at once (SIMD within a register).
private struct EightBytes {
    /// Marks bytes. Only the first mark is right: the carry or borrow of a marked byte may mark those behind it.
    struct Marks {
        var bits: UInt64

        /// The place of the first mark, 0 to 7.
        var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount / 8 }

        static func | (one: Marks, other: Marks) -> Marks { Marks(bits: one.bits | other.bits) }
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// The first byte is the lowest.
    private let word: UInt64

    init(asInMemory word: UInt64) { self.word = UInt64(littleEndian: word) }

    init(repeating byte: UInt8) { word = Self.ones &* UInt64(byte) }

    private init(word: UInt64) { self.word = word }

    /// Marks the bytes below `limit`, which is at most 0x80.
    func below(_ limit: UInt8) -> Marks {
        Marks(bits: (word &- Self.ones &* UInt64(limit)) & ~word & Self.highBits)
    }

    /// Marks the bytes above `limit`, which is below 0x80.
    func above(_ limit: UInt8) -> Marks {
        Marks(bits: ((word &+ Self.ones &* UInt64(0x7F - limit)) | word) & Self.highBits)
    }

    func equal(to byte: UInt8) -> Marks {
        EightBytes(word: word ^ EightBytes(repeating: byte).word).below(1)
    }
}
