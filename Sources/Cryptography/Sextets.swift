/// Six bits a character: what both alphabets of Base64 (RFC 4648) have in common. Allocates nothing.
enum Sextets {
    /// How many characters `byteCount` bytes become, padding aside.
    static func count(of byteCount: Int) -> Int { (byteCount * 8 + 5) / 6 }

    /// The six bits of every byte that is a character of `alphabet`, 255 for the others.
    static func values(of alphabet: [UInt8]) -> [UInt8] {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }

    /// Writes `bytes` over what stands in `text` from `start` on.
    ///
    /// - Returns: where it ended.
    @inline(__always)
    static func encode(
        _ bytes: Span<UInt8>, by alphabet: Span<UInt8>, over text: inout MutableSpan<UInt8>, at start: Int
    ) -> Int {
        var written = start
        var bits: UInt32 = 0
        var bitCount = 0
        for index in bytes.indices {
            bits = bits << 8 | UInt32(bytes[index])
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                text[written] = alphabet[Int(bits >> bitCount & 0x3F)]
                written += 1
            }
        }
        guard bitCount > 0 else { return written }
        text[written] = alphabet[Int(bits << (6 - bitCount) & 0x3F)]
        return written + 1
    }

    /// Decodes as many characters of `text` as all of `bytes` are.
    ///
    /// - Returns: what makes it not the text that `bytes` are written as, if anything does.
    @inline(__always)
    static func decode(
        _ text: Span<UInt8>, by values: Span<UInt8>, into bytes: inout MutableSpan<UInt8>
    ) -> Fault? {
        var written = 0
        var bits: UInt32 = 0
        var bitCount = 0
        var seen: UInt8 = 0
        for index in 0..<count(of: bytes.count) {
            let value = values[Int(text[index])]
            seen |= value
            bits = bits << 6 | UInt32(value & 0x3F)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes[written] = UInt8(truncatingIfNeeded: bits >> bitCount)
                written += 1
            }
        }
        guard seen < 0x40 else { return .alphabet }
        return bits & (1 << bitCount - 1) == 0 ? nil : .trailingBits
    }

    enum Fault {
        case alphabet
        case trailingBits
    }
}
