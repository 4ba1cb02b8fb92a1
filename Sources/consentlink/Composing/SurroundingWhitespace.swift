import ASCII

/// White space and invisible characters that spreadsheets, editors and address books leave around a value. With them,
/// the value would be another recipient, who looks like the intended one.
enum SurroundingWhitespace {
    /// Whether `text` begins or ends with such a character. A text that is not UTF-8 does so only with an ASCII one.
    static func surrounds(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        if isSpace(first) || isSpace(last) { return true }
        guard first >= 0x80 || last >= 0x80, let whole = String(validating: text, as: UTF8.self) else { return false }
        let scalars = Array(whole.unicodeScalars)
        return [0, scalars.count - 1].contains { scalars[$0].properties.isWhitespace || scalars.isUnseen(at: $0) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
