/// Writes comma-separated values (RFC 4180) that are safe to be opened with a spreadsheet.
struct CSVWriter {
    private static let quote = UInt8(ascii: "\"")
    /// What a spreadsheet takes for the beginning of a formula, or leaves out before one.
    private static let formulaBeginnings = Set("=+-@\t\r\n".utf8)
    private static let needQuotes = Set(",\"\r\n".utf8)

    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    /// One more cell; empty for `nil`. A cell that a spreadsheet would run gets an apostrophe before it.
    mutating func cell(_ text: String?) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        guard var text, !text.isEmpty else { return }
        if text.utf8.first.map(Self.formulaBeginnings.contains) ?? false { text = "'" + text }
        guard text.utf8.contains(where: Self.needQuotes.contains) else { return bytes.append(contentsOf: text.utf8) }
        bytes.append(Self.quote)
        for byte in text.utf8 {
            if byte == Self.quote { bytes.append(Self.quote) }
            bytes.append(byte)
        }
        bytes.append(Self.quote)
    }

    mutating func cell(_ value: Bool) { cell(value ? "true" : "false") }

    mutating func endLine() {
        bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
        isFirst = true
    }
}
