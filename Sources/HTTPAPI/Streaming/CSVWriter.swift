/// Writes comma-separated values (RFC 4180) that are safe to open in a spreadsheet.
///
/// Every cell is quoted. An apostrophe is put before a character that would begin a formula at the beginning of a cell.
/// Some spreadsheets split cells at other separators than the comma and ignore quotes then, so the apostrophe is also
/// put after such separators.
package struct CSVWriter {
    private static let quote = UInt8(ascii: "\"")

    package private(set) var bytes: [UInt8] = []
    private var isFirst = true

    package init() {}

    /// One more cell; empty for `nil`.
    package mutating func cell(_ text: String?) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        guard let text, !text.isEmpty else { return }
        bytes.append(Self.quote)
        // Some spreadsheets ignore these characters, so that a formula could begin after them.
        if let first = text.unicodeScalars.first, first.endsLine || first == "\t" { bytes.append(UInt8(ascii: "'")) }
        var mayBeginCell = true
        for scalar in text.unicodeScalars {
            if mayBeginCell && scalar.beginsFormula { bytes.append(UInt8(ascii: "'")) }
            mayBeginCell = scalar.separatesCells || (mayBeginCell && scalar.isPassedOver)
            if scalar == "\"" { bytes.append(Self.quote) }
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        bytes.append(Self.quote)
    }

    mutating func cell(_ value: Bool) { cell(value ? "true" : "false") }

    package mutating func endLine() {
        bytes.append(contentsOf: [UInt8(ascii: "\r"), UInt8(ascii: "\n")])
        isFirst = true
    }
}

extension Unicode.Scalar {
    /// Whether a spreadsheet takes it for the beginning of a formula. The last four are full-width forms of the first,
    /// which some spreadsheets treat alike.
    fileprivate var beginsFormula: Bool {
        switch self {
        case "=", "+", "-", "@": true
        case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": true
        default: false
        }
    }

    /// Whether a spreadsheet may take it for the end of a cell.
    fileprivate var separatesCells: Bool {
        switch self {
        case ";", "|", "\t": true
        default: endsLine
        }
    }

    fileprivate var endsLine: Bool { self == "\r" || self == "\n" }

    /// Whether a spreadsheet may ignore it at the beginning of a cell.
    fileprivate var isPassedOver: Bool { self == " " || self == "\"" }
}
