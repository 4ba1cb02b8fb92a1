extension Base64 {
    private static let values = Sextets.values(of: alphabet)

    /// The number of bytes in `text`; `nil` if its length or padding is invalid.
    private static func decodedLength(of text: Span<UInt8>) -> Int? {
        guard text.count.isMultiple(of: 4) else { return nil }
        guard text.count > 0, text[text.count - 1] == padding else { return text.count / 4 * 3 }
        return text.count / 4 * 3 - (text[text.count - 2] == padding ? 2 : 1)
    }

    /// Decodes all of `text` over all of `bytes`, without allocation.
    ///
    /// - Returns: `false` if `text` is not the encoding of that many bytes: with its padding, nothing around it, and no
    ///   bits set after the last byte. Then `bytes` must not be used.
    package static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
        guard decodedLength(of: text) == bytes.count else { return false }
        return Sextets.decode(text, by: values.span, into: &bytes) == nil
    }

    /// - Returns: `nil` for any text that the encoding does not write.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard let length = decodedLength(of: text) else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        var output = bytes.mutableSpan
        return decode(text, into: &output) ? bytes : nil
    }

    package static func decode(_ text: [UInt8]) -> [UInt8]? { decode(text.span) }

    /// - Throws: ``CryptographyError/base64`` for any text that the encoding does not write.
    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard let bytes = decode(text.span) else { throw .base64 }
        return bytes
    }
}
