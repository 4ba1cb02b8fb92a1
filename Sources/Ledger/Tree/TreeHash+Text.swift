import Cryptography

extension TreeHash {
    init?(base64 text: ArraySlice<UInt8>) {
        var bytes = InlineArray<32, UInt8>(repeating: 0)
        var output = bytes.mutableSpan
        guard Base64.decode(text.span, into: &output) else { return nil }
        self.init(bytes)
    }

    /// In Base64.
    package var text: String { Base64.encode(bytes.span) }
}
