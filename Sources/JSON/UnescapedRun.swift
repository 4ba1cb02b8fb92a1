extension UnsafeBufferPointer<UInt8> {
    /// Where the next byte stands that is escaped in JSON, or ends a string: a control character, a quote or a
    /// backslash; the end of the buffer when there is none.
    ///
    /// Looks at eight bytes at a time. Of the bytes that the arithmetic marks, the lowest is one of these for certain; a
    /// borrow can reach those above it only.
    func firstEscaped(from start: Int) -> Int {
        var position = start
        while position + 8 <= count, let base = baseAddress {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self))
            let marks = word.bytesBelow0x20 | (word ^ Self.quotes).zeroBytes | (word ^ Self.backslashes).zeroBytes
            if marks != 0 { return position + marks.trailingZeroBitCount / 8 }
            position += 8
        }
        while position < count, self[position].isUnescaped { position += 1 }
        return position
    }

    private static var quotes: UInt64 { 0x22 &* UInt64.ones }
    private static var backslashes: UInt64 { 0x5C &* UInt64.ones }
}

extension UInt64 {
    fileprivate static var ones: UInt64 { 0x0101_0101_0101_0101 }
    private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

    /// The high bit of the lowest zero byte, and perhaps of bytes above it.
    fileprivate var zeroBytes: UInt64 { (self &- Self.ones) & ~self & Self.highBits }

    /// The high bit of the lowest byte below 0x20, and perhaps of bytes above it.
    fileprivate var bytesBelow0x20: UInt64 { (self &- 0x20 &* Self.ones) & ~self & Self.highBits }
}
