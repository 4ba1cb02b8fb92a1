extension Base64URL {
    private static let values = Sextets.values(of: alphabet)

    /// Decodes all of `text` over all of `bytes`, without allocation.
    ///
    /// - Returns: `nil` on success, otherwise the fault; then `bytes` must not be used. A text that would not decode to
    ///   exactly as many bytes as there is room for has the wrong length.
    package static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Fault? {
        guard decodedLength(of: text.count) == bytes.count else { return .length }
        return switch Sextets.decode(text, by: values.span, into: &bytes) {
        case nil: nil
        case .alphabet: .alphabet
        case .trailingBits: .trailingBits
        }
    }

    /// - Throws: ``CryptographyError/base64URL(_:)`` for any text that the encoding does not write.
    package static func decode(_ text: some StringProtocol) throws(CryptographyError) -> [UInt8] {
        let text = Array(text.utf8)
        guard let length = decodedLength(of: text.count) else { throw .base64URL(.length) }
        var bytes = [UInt8](repeating: 0, count: length)
        var output = bytes.mutableSpan
        if let fault = decode(text.span, into: &output) { throw .base64URL(fault) }
        return bytes
    }
}
