extension UnsafeBufferPointer<UInt8> {
    /// The place of the next byte that JSON escapes, or that ends a string: a control character, a quote or a
    /// backslash; the end of the buffer if there is none.
    func firstEscaped(from start: Int) -> Int {
        var position = start
        while let offset = offsetInVector(at: position) {
            if offset < ByteVector.scalarCount { return position + offset }
            position += ByteVector.scalarCount
        }
        while position < count, self[position].isUnescaped { position += 1 }
        return position
    }

    /// Copies bytes up to the next one that ``firstEscaped(from:)`` finds. May write over all of `output` after them.
    ///
    /// - Returns: how many were copied: fewer if `output` is full.
    func copyUnescaped(from start: Int, to output: UnsafeMutableBufferPointer<UInt8>.SubSequence) -> Int {
        guard let base = baseAddress, let target = output.base.baseAddress else { return 0 }
        let room = output.endIndex
        var position = start
        var written = output.startIndex
        while room - written >= ByteVector.scalarCount, let offset = offsetInVector(at: position) {
            // Copies the whole vector, even if fewer bytes of it count.
            let vector = UnsafeRawPointer(base + position).loadUnaligned(as: ByteVector.self)
            UnsafeMutableRawPointer(target + written).storeBytes(of: vector, as: ByteVector.self)
            position += offset
            written += offset
            if offset < ByteVector.scalarCount { return position - start }
        }
        while position < count, written < room, self[position].isUnescaped {
            target[written] = self[position]
            position += 1
            written += 1
        }
        return position - start
    }

    /// How many bytes come before the first that ``firstEscaped(from:)`` finds, in the vector that begins at
    /// `position`; `nil` if fewer bytes than a vector are left.
    @inline(__always)
    private func offsetInVector(at position: Int) -> Int? {
        guard position + ByteVector.scalarCount <= count, let base = baseAddress else { return nil }
        let bytes = UnsafeRawPointer(base + position).loadUnaligned(as: ByteVector.self)
        let marks =
            (bytes .< ByteVector(repeating: 0x20)) .| (bytes .== ByteVector(repeating: .quote))
            .| (bytes .== ByteVector(repeating: .backslash))
        // A lane of a mask is all ones or all zeros, the lowest lane in the lowest byte.
        let words = unsafeBitCast(marks, to: SIMD2<UInt64>.self)
        if words.x != 0 { return words.x.trailingZeroBitCount / 8 }
        if words.y != 0 { return 8 + words.y.trailingZeroBitCount / 8 }
        return ByteVector.scalarCount
    }
}

/// The bytes that are checked in one step.
private typealias ByteVector = SIMD16<UInt8>
