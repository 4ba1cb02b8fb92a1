extension Base64URL {
    static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Writes `bytes` as ASCII over all of `text`, which must have the encoded length. Allocates nothing.
    package static func encode(_ bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>) {
        precondition(text.count == encodedLength(of: bytes.count))
        let alphabet = alphabet.span
        var written = 0
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
        if bitCount > 0 { text[written] = alphabet[Int(bits << (6 - bitCount) & 0x3F)] }
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: encodedLength(of: bytes.count))
        var output = text.mutableSpan
        encode(bytes.span, into: &output)
        return String(decoding: text, as: UTF8.self)
    }
}
