/// White space and invisible characters that spreadsheets, editors and address books leave around a value. With them,
/// the value would be another recipient, who looks like the intended one.
enum SurroundingWhitespace {
    /// Whether `text` begins or ends with such a character. A text that is not UTF-8 does so only with an ASCII one.
    static func surrounds(_ text: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        if isSpace(first) || isSpace(last) { return true }
        guard first >= 0x80 || last >= 0x80, let scalars = String(validating: text, as: UTF8.self)?.unicodeScalars
        else { return false }
        return [scalars.first, scalars.last].contains { $0.map(isUnseen) ?? false }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// Zero-width characters, marks of the direction of writing and the like. Variation selectors and tags are parts of
    /// the emoji before them.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isWhitespace
            || properties.isDefaultIgnorableCodePoint && properties.generalCategory != .nonspacingMark
                && !("\u{E0020}"..."\u{E007F}" ~= scalar)
    }
}
