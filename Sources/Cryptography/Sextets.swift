/// Six bits a character: the common part of both alphabets of Base64 (RFC 4648). Allocates nothing.
enum Sextets {
    /// The number of characters for `byteCount` bytes, without padding.
    static func count(of byteCount: Int) -> Int { (byteCount * 8 + 5) / 6 }

    /// The six bits of every byte that is a character of `alphabet`, 255 for the others.
    static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    /// Writes `bytes` over `text` from `start` on, three bytes as four characters at a time.
    ///
    /// - Returns: the end of the written text.
    @inline(__always)
    static func encode(
        _ bytes: Span<UInt8>, by alphabet: Span<UInt8>, over text: inout MutableSpan<UInt8>, at start: Int
    ) -> Int {
        let end = start + count(of: bytes.count)
        precondition(start >= 0 && end <= text.count && alphabet.count == 64)
        var (read, written) = (0, start)
        while read + 3 <= bytes.count {
            let bits =
                UInt32(bytes[unchecked: read]) << 16 | UInt32(bytes[unchecked: read + 1]) << 8
                | UInt32(bytes[unchecked: read + 2])
            text[unchecked: written] = alphabet[unchecked: Int(bits >> 18)]
            text[unchecked: written + 1] = alphabet[unchecked: Int(bits >> 12 & 0x3F)]
            text[unchecked: written + 2] = alphabet[unchecked: Int(bits >> 6 & 0x3F)]
            text[unchecked: written + 3] = alphabet[unchecked: Int(bits & 0x3F)]
            (read, written) = (read + 3, written + 4)
        }
        // A remaining byte becomes two characters, two remaining bytes become three.
        if read < bytes.count {
            let (first, second) = (bytes[read], read + 1 < bytes.count ? bytes[read + 1] : 0)
            let bits = UInt32(first) << 16 | UInt32(second) << 8
            for place in 0..<(end - written) { text[written + place] = alphabet[Int(bits >> (18 - 6 * place) & 0x3F)] }
        }
        return end
    }

    /// Decodes the characters of `text` for all of `bytes`, four as three bytes at a time.
    ///
    /// - Parameter values: 256 values, from ``values(of:)``.
    /// - Returns: why `text` is not the encoding of any bytes; `nil` if it is.
    @inline(__always)
    static func decode(
        _ text: Span<UInt8>, by values: Span<UInt8>, into bytes: inout MutableSpan<UInt8>
    ) -> Fault? {
        let end = count(of: bytes.count)
        precondition(end <= text.count && values.count == 256)
        var (read, written) = (0, 0)
        // A byte that is no character of the alphabet has both high bits set.
        var seen: UInt32 = 0
        while written + 3 <= bytes.count {
            let first = UInt32(values[unchecked: Int(text[unchecked: read])])
            let second = UInt32(values[unchecked: Int(text[unchecked: read + 1])])
            let third = UInt32(values[unchecked: Int(text[unchecked: read + 2])])
            let fourth = UInt32(values[unchecked: Int(text[unchecked: read + 3])])
            seen |= first | second | third | fourth
            let bits = first << 18 | second << 12 | third << 6 | fourth
            bytes[unchecked: written] = UInt8(truncatingIfNeeded: bits >> 16)
            bytes[unchecked: written + 1] = UInt8(truncatingIfNeeded: bits >> 8)
            bytes[unchecked: written + 2] = UInt8(truncatingIfNeeded: bits)
            (read, written) = (read + 4, written + 3)
        }
        // The rest: two characters as one byte, or three as two.
        var bits: UInt32 = 0
        for place in 0..<(end - read) {
            let value = UInt32(values[Int(text[read + place])])
            seen |= value
            bits |= (value & 0x3F) << (18 - 6 * place)
        }
        for place in 0..<(bytes.count - written) {
            bytes[written + place] = UInt8(truncatingIfNeeded: bits >> (16 - 8 * place))
        }
        guard seen < 0x40 else { return .alphabet }
        return bits << (8 * (bytes.count - written)) & 0xFF_FFFF == 0 ? nil : .trailingBits
    }

    enum Fault {
        case alphabet
        case trailingBits
    }
}
