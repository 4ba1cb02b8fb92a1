extension Base64URL {
    /// The six bits of every byte that is a character of the alphabet, 255 for the others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// Decodes all of `text` over all of `bytes`, without allocation.
    ///
    /// - Returns: `nil` when it is done, otherwise why not, and `bytes` is not to be used. A text that would not
    ///   decode to exactly as many bytes as there is room for has the wrong length.
    package static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Fault? {
        guard decodedLength(of: text.count) == bytes.count else { return .length }
        let values = values.span
        var written = 0
        var bits: UInt32 = 0
        var bitCount = 0
        var seen: UInt8 = 0
        for index in text.indices {
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
        guard bits & (1 << bitCount - 1) == 0 else { return .trailingBits }
        return nil
    }

    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard let length = decodedLength(of: text.count) else { throw .base64URL(.length) }
        var bytes = [UInt8](repeating: 0, count: length)
        var output = bytes.mutableSpan
        if let fault = decode(text.span, into: &output) { throw .base64URL(fault) }
        return bytes
    }
}
