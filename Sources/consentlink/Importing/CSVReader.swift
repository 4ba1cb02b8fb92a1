/// Parses a table piece by piece (RFC 4180): fields with commas, quotes and line ends in quotes, a quote in a quoted
/// field doubled, lines that end with CR LF or LF.
///
/// Spreadsheets of many countries write semicolons: the separator of the headings is the separator of all fields. A
/// byte order mark at the beginning is skipped.
struct CSVReader {
    struct Record {
        /// The lines of the file, from 1.
        let lines: ClosedRange<Int>
        let bytes: RowBytes
        let fields: [[UInt8]]
        /// Why it is no valid record.
        let fault: String?

        var isBlank: Bool { fields.count == 1 && fields[0].isEmpty && fault == nil }
    }

    private enum State {
        case fieldStart
        case unquoted
        case quoted
        /// After a quote in a quoted field: the field's end, or the first half of a doubled quote.
        case quote
    }

    /// In bytes, longer than any consent record. The length of a row is that of its fields and separators.
    static let maximumLength = 64 << 10

    /// `nil` until the headings are known.
    private var separator: UInt8?
    private var head: [UInt8] = []
    private var state = State.fieldStart
    private var field: [UInt8] = []
    private var fields: [[UInt8]] = []
    private var length = 0
    private var fault: String?
    private var line = 1
    /// The first line of the record; `nil` before its first byte.
    private var firstLine: Int?
    /// The line of the last byte that was read.
    private var lastLine = 1
    private var bytes = RowBytes()

    /// The records that end in `piece`.
    mutating func read(_ piece: [UInt8]) -> [Record] {
        guard separator == nil else { return take(piece) }
        head += piece
        guard head.contains(.lineFeed) || head.count > Self.maximumLength else { return [] }
        return takeHead()
    }

    /// The record after the last line end, if there is one.
    mutating func last() -> [Record] {
        var records = separator == nil ? takeHead() : []
        if state == .quoted { fault = fault ?? "a quote is opened and never closed" }
        if let firstLine { records.append(end(firstLine)) }
        return records
    }

    private mutating func takeHead() -> [Record] {
        let bytes = head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
        head = []
        let headings = bytes.prefix { $0 != .lineFeed }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        separator = candidates.max { one, other in
            headings.count { $0 == one } < headings.count { $0 == other }
        }
        if separator.map({ !headings.contains($0) }) ?? true { separator = UInt8(ascii: ",") }
        return take(bytes)
    }

    private mutating func take(_ bytes: [UInt8]) -> [Record] {
        var records: [Record] = []
        var start = bytes.startIndex
        for (index, byte) in bytes.enumerated() {
            let first = firstLine ?? line
            firstLine = first
            guard take(byte) else { continue }
            self.bytes.append(bytes[start..<index])
            records.append(end(first))
            start = index + 1
        }
        self.bytes.append(bytes[start...])
        return records
    }

    /// - Returns: whether it ended a record.
    private mutating func take(_ byte: UInt8) -> Bool {
        lastLine = line
        if byte == .lineFeed { line += 1 }
        switch (state, byte) {
        case (.quoted, .quotationMark): state = .quote
        case (.quoted, _): append(byte)
        case (.quote, .quotationMark):
            append(byte)
            state = .quoted
        case (.fieldStart, .quotationMark): state = .quoted
        case (_, .lineFeed): return true
        case (_, separator):
            if isRoomForOne() { fields.append(field) }
            field = []
            state = .fieldStart
        case (.quote, UInt8(ascii: "\r")): break
        case (.quote, _):
            fault = fault ?? "text follows a closing quote"
            state = .unquoted
        case (.fieldStart, _), (.unquoted, _):
            append(byte)
            state = .unquoted
        }
        return false
    }

    private mutating func append(_ byte: UInt8) { if isRoomForOne() { field.append(byte) } }

    /// Whether one more byte of a field, or one more separator, is within the greatest length.
    private mutating func isRoomForOne() -> Bool {
        length += 1
        guard length > Self.maximumLength else { return true }
        fault = fault ?? "it is longer than \(Self.maximumLength) bytes"
        return false
    }

    private mutating func end(_ firstLine: Int) -> Record {
        // It belongs to a line that ends with CR LF.
        if state == .unquoted, field.last == UInt8(ascii: "\r") { field.removeLast() }
        defer {
            (state, field, fields, length, fault) = (.fieldStart, [], [], 0, nil)
            (self.firstLine, bytes) = (nil, RowBytes())
        }
        return Record(lines: firstLine...lastLine, bytes: bytes, fields: fields + [field], fault: fault)
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let quotationMark = UInt8(ascii: "\"")
}
