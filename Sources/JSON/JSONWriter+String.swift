import ASCII

extension [UInt8] {
    /// Appends `text` in quotes, with only the required escapes (RFC 8785, 3.2.2.2): the short ones where they exist,
    /// `\u00xx` in lower case for the other control characters, everything else unchanged in UTF-8.
    package mutating func appendJSONString(_ text: String) {
        var text = text
        text.withUTF8 { appendJSONString($0) }
    }

    /// Appends a text, given as bytes of UTF-8, like ``appendJSONString(_:)-(String)``. Bytes that are not UTF-8 stay
    /// unchanged.
    package mutating func appendJSONString(_ utf8: UnsafeBufferPointer<UInt8>) {
        append(.quote)
        appendJSONEscaped(utf8)
        append(.quote)
    }

    /// Appends a part of such a text without quotes, for a string that is written part by part. A part may end within
    /// a character.
    package mutating func appendJSONEscaped(_ utf8: UnsafeBufferPointer<UInt8>) {
        // HTML has many short escapes: they are collected here, and appended many at a time.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.pieceLength) { piece in
            var read = 0
            while read < utf8.count {
                var written = 0
                while read < utf8.count, written + Self.maximumEscapeLength <= piece.count {
                    let copied = utf8.copyUnescaped(from: read, to: piece[written...])
                    read += copied
                    written += copied
                    guard read < utf8.count, written + Self.maximumEscapeLength <= piece.count,
                        !utf8[read].isUnescaped
                    else { continue }
                    written += Self.writeEscape(of: utf8[read], to: piece, at: written)
                    read += 1
                }
                append(contentsOf: UnsafeBufferPointer(rebasing: piece[..<written]))
            }
        }
    }

    private static var pieceLength: Int { 1024 }
    /// `\u00xx`
    private static var maximumEscapeLength: Int { 6 }

    /// - Returns: the number of bytes of the escape.
    private static func writeEscape(
        of byte: UInt8, to piece: UnsafeMutableBufferPointer<UInt8>, at position: Int
    ) -> Int {
        piece[position] = .backslash
        let letter: UInt8
        switch byte {
        case 0x08: letter = UInt8(ascii: "b")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0C: letter = UInt8(ascii: "f")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x00..<0x20:
            piece[position + 1] = UInt8(ascii: "u")
            piece[position + 2] = UInt8(ascii: "0")
            piece[position + 3] = UInt8(ascii: "0")
            piece[position + 4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
            piece[position + 5] = (byte & 0x0F).lowerCaseHexDigit
            return maximumEscapeLength
        default: letter = byte
        }
        piece[position + 1] = letter
        return 2
    }
}
