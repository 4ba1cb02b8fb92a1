extension String {
    /// Whether it contains one of Unicode's control characters: U+0000–U+001F, U+007F and U+0080–U+009F, of which the
    /// last ones are `C2 80` to `C2 9F` in UTF-8.
    ///
    /// Bytes are checked instead of Unicode properties, because a campaign has millions of recipients.
    package var hasControlCharacter: Bool {
        let bytes = utf8Span.span
        var previous: UInt8 = 0
        for index in bytes.indices {
            let byte = bytes[unchecked: index]
            if byte < 0x20 || byte == 0x7F || (previous == 0xC2 && byte < 0xA0) { return true }
            previous = byte
        }
        return false
    }
}
