import ASCII

/// The searches of ``IndexedBytes``, sixteen bytes at a time.
extension UnsafeBufferPointer: IndexedBytes where Element == UInt8 {
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int {
        let wanted = Block(repeating: byte)
        return firstIndex(in: range) {
            $0 .== wanted
        } orOne: {
            $0 == byte
        }
    }

    func firstIndex(of first: UInt8, _ second: UInt8, in range: Range<Int>) -> Int {
        // In a block of letters only upper and lower case become equal: no other byte becomes a letter.
        let (one, other, lowerCase) = (Block(repeating: first), Block(repeating: second), Block(repeating: 0x20))
        var position = range.lowerBound
        while position + Block.scalarCount < range.upperBound, let here = block(at: position),
            let next = block(at: position + 1)
        {
            if let place = Self.firstMark(((here | lowerCase) .== one) .& ((next | lowerCase) .== other)) {
                return position + place
            }
            position += Block.scalarCount
        }
        while position + 1 < range.upperBound {
            if self[position].lowerCased == first, self[position + 1].lowerCased == second { return position }
            position += 1
        }
        return range.upperBound
    }

    func count(of byte: UInt8, in range: Range<Int>) -> Int {
        let (wanted, one) = (Block(repeating: byte), Block(repeating: 1))
        var count = 0
        var position = range.lowerBound
        while position + Block.scalarCount <= range.upperBound {
            var counts = Block()
            // A lane counts to 255.
            let end = Swift.min(range.upperBound, position + 255 * Block.scalarCount)
            while position + Block.scalarCount <= end, let bytes = block(at: position) {
                counts &+= Block().replacing(with: one, where: bytes .== wanted)
                position += Block.scalarCount
            }
            count += Int(SIMD16<UInt16>(truncatingIfNeeded: counts).wrappedSum())
        }
        return count + self[position..<range.upperBound].count { $0 == byte }
    }

    /// The first place from `start` on whose byte is no printable ASCII, or is `&`; the end if there is none.
    func firstUnlikeText(from start: Int) -> Int {
        let (first, last, ampersand) = (Block(repeating: 0x20), Block(repeating: 0x7E), UInt8(ascii: "&"))
        let stop = Block(repeating: ampersand)
        return firstIndex(in: start..<count) { bytes in
            (bytes .< first) .| (bytes .> last) .| (bytes .== stop)
        } orOne: { byte in
            !byte.isPrintable || byte == ampersand
        }
    }

    /// The first place in `range` whose byte is wanted; the end of `range` if there is none.
    ///
    /// - Parameters:
    ///   - marks: marks the wanted bytes of a block.
    ///   - isWanted: the same for one byte.
    @inline(__always)
    private func firstIndex(
        in range: Range<Int>, _ marks: (Block) -> SIMDMask<SIMD16<Int8>>, orOne isWanted: (UInt8) -> Bool
    ) -> Int {
        var position = range.lowerBound
        while position + Block.scalarCount <= range.upperBound, let bytes = block(at: position) {
            if let place = Self.firstMark(marks(bytes)) { return position + place }
            position += Block.scalarCount
        }
        while position < range.upperBound, !isWanted(self[position]) { position += 1 }
        return position
    }

    /// The block that begins at `position`. The caller must check that the buffer has all of it.
    @inline(__always)
    private func block(at position: Int) -> Block? {
        baseAddress.map { UnsafeRawPointer($0 + position).loadUnaligned(as: Block.self) }
    }

    @inline(__always)
    private static func firstMark(_ marks: SIMDMask<SIMD16<Int8>>) -> Int? {
        // A lane of a mask is all ones or all zeros, the lowest lane in the lowest byte.
        let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        if words.x != 0 { return words.x.trailingZeroBitCount / 8 }
        if words.y != 0 { return 8 + words.y.trailingZeroBitCount / 8 }
        return nil
    }
}

/// The bytes that are compared at once.
private typealias Block = SIMD16<UInt8>
