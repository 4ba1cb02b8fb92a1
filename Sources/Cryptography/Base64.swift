/// Base64 with the standard alphabet and padding (RFC 4648, 4), as in the formats of transparency logs: one text for
/// one sequence of bytes. Decoding refuses any text that encoding does not write.
package enum Base64 {
    static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Writes `bytes` as ASCII over `text` from `start` on.
    package static func write(_ bytes: Span<UInt8>, over text: inout MutableSpan<UInt8>, at start: Int) {
        let end = Sextets.encode(bytes, by: alphabet.span, over: &text, at: start)
        for position in end..<start + encodedLength(of: bytes.count) { text[position] = padding }
    }

    /// Appends `bytes` to `text` as ASCII.
    package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
        let start = text.count
        text.append(contentsOf: repeatElement(padding, count: encodedLength(of: bytes.count)))
        var output = text.mutableSpan
        write(bytes, over: &output, at: start)
    }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        var text: [UInt8] = []
        append(bytes, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    package static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

    static let padding = UInt8(ascii: "=")

    private static func encodedLength(of byteCount: Int) -> Int { (byteCount + 2) / 3 * 4 }
}
