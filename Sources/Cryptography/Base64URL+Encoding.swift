extension Base64URL {
    static let alphabet = [UInt8]("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Writes `bytes` as ASCII over all of `text`, which must have the encoded length. Allocates nothing.
    package static func encode(_ bytes: Span<UInt8>, into text: inout MutableSpan<UInt8>) {
        precondition(text.count == encodedLength(of: bytes.count))
        _ = Sextets.encode(bytes, by: alphabet.span, over: &text, at: 0)
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: encodedLength(of: bytes.count))
        var output = text.mutableSpan
        encode(bytes.span, into: &output)
        return String(decoding: text, as: UTF8.self)
    }
}
