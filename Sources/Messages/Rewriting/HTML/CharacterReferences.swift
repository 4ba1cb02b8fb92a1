/// Character references in the value of an attribute (HTML, 13.2.5.72 to 13.2.5.80).
enum CharacterReferences {
    /// What a parser reads where `bytes` are written, with or without quotes.
    ///
    /// - Returns: `nil` where the table of names is needed for that, or a parser changes other bytes, too.
    static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            guard !bytes.isReplaced(at: position) else { return nil }
            output.append(byte)
            position += 1
            guard byte == UInt8(ascii: "&") else { continue }
            var end = position
            while end < bytes.count, bytes[end].isLetter || bytes[end].isDigit { end += 1 }
            // A name before an equals sign is none in an attribute, and nothing is a name of no letters.
            if end < bytes.count, bytes[end] == UInt8(ascii: "=") { continue }
            if end == position, end == bytes.count || bytes[end] != UInt8(ascii: "#") { continue }
            guard bytes.isPlainWord("amp;", at: position) else { return nil }
            position = end + 1
        }
        return output
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether a character may begin here for which a parser reads another one: a control character, a line end, or one
    /// that Unicode has set aside (U+FDD0 to U+FDEF and the last two of each plane).
    fileprivate func isReplaced(at position: Int) -> Bool {
        switch self[position] {
        case 0x09, 0x0A, 0x0C: false
        case 0..<0x20, 0x7F: true
        case 0xC2: position + 1 < count && self[position + 1] < 0xA0
        case 0xEF: position + 1 < count && (self[position + 1] == 0xB7 || self[position + 1] == 0xBF)
        case 0xF0...: position + 2 < count && self[position + 2] == 0xBF
        default: false
        }
    }

    /// Whether `text` stands at `position`, letter for letter.
    fileprivate func isPlainWord(_ text: StaticString, at position: Int) -> Bool {
        guard text.utf8CodeUnitCount <= count - position else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { self[position + $0] == text.utf8Start[$0] }
    }
}
