/// Writes comma-separated values (RFC 4180) that are safe to be opened with a spreadsheet.
///
/// Every cell is quoted, and a character that begins a formula gets an apostrophe before it where it would begin a cell.
/// Some spreadsheets cut cells at another separator than the comma, and take no notice of quotes then, so that is also
/// behind those.
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
        // Left out by some spreadsheets, so that a cell would begin behind it.
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
    /// Whether a spreadsheet takes it for the beginning of a formula; the last four are the first in full width, which
    /// some read alike.
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

    /// Whether a spreadsheet may leave it out at the beginning of a cell.
    fileprivate var isPassedOver: Bool { self == " " || self == "\"" }
}
