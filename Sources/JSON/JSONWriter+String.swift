extension [UInt8] {
    /// Appends `text` in quotes, with only those escapes that must be (RFC 8785, 3.2.2.2): the short ones where there
    /// is one, `\u00xx` in lower case for the other control characters, everything else as it is in UTF-8.
    package mutating func appendJSONString(_ text: String) {
        var text = text
        text.withUTF8 { appendJSONString($0) }
    }

    /// Appends a text, given as bytes of UTF-8, as ``appendJSONString(_:)-(String)`` does.
    mutating func appendJSONString(_ utf8: UnsafeBufferPointer<UInt8>) {
        append(.quote)
        var written = 0
        while true {
            let position = utf8.firstEscaped(from: written)
            append(contentsOf: utf8[written..<position])
            guard position < utf8.count else { break }
            appendEscape(of: utf8[position])
            written = position + 1
        }
        append(.quote)
    }

    private mutating func appendEscape(of byte: UInt8) {
        append(.backslash)
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            append(contentsOf: "u00".utf8)
            append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
            append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
        default: append(byte)
        }
    }
}
