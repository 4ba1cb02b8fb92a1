extension Base64 {
    /// The six bits of every byte that is a character of the alphabet, 255 for the others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// How many bytes `text` becomes, `nil` where its length or its padding can be nobody's.
    private static func decodedLength(of text: Span<UInt8>) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        guard text.count > 0, text[text.count - 1] == padding else { return text.count / 4 * 3 }
        return text.count / 4 * 3 - (text[text.count - 2] == padding ? 2 : 1)
    }

    /// Decodes all of `text` over all of `bytes`, without allocation.
    ///
    /// - Returns: `false`, and `bytes` is not to be used, when `text` is not what encoding that many bytes writes: with
    ///   its padding, nothing around it, and no bits set after the last byte.
    package static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
        guard decodedLength(of: text) == bytes.count else { return false }
        let values = values.span
        let characters = (bytes.count * 8 + 5) / 6
        var (written, bitCount): (Int, Int) = (0, 0)
        var bits: UInt32 = 0
        var seen: UInt8 = 0
        for index in 0..<characters {
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
        return seen < 0x40 && bits & (1 << bitCount - 1) == 0
    }

    /// - Returns: `nil` for anything but what encoding writes.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let length = decodedLength(of: text) else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        var output = bytes.mutableSpan
        return decode(text, into: &output) ? bytes : nil
    }

    package static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text.span) }

    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard let bytes = decode(text.span) else { throw .base64 }
        return bytes
    }
}
