import JSON

/// A row of what is imported: a consent record as the API takes it, or why it is none.
struct ImportRow: Sendable {
    enum Content: Sendable {
        /// - hasTime: whether it says itself when it occurred. Otherwise it occurs when it is recorded.
        case record([UInt8], hasTime: Bool)
        case refused(String)
    }

    /// Of the file, from 1: where it begins.
    let line: Int
    let content: Content
}

/// Rows from a file of JSON lines.
struct JSONRows {
    private var line = 0
    private var rest: [UInt8] = []
    private var isTooLong = false

    mutating func read(_ piece: [UInt8]) -> [ImportRow] {
        var rows: [ImportRow] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            keep(piece[start..<end])
            if let row = row() { rows.append(row) }
            start = end + 1
        }
        keep(piece[start...])
        return rows
    }

    mutating func last() -> [ImportRow] { rest.isEmpty && !isTooLong ? [] : row().map { [$0] } ?? [] }

    private mutating func keep(_ bytes: ArraySlice<UInt8>) {
        guard rest.count + bytes.count <= CSVReader.greatestLength else {
            isTooLong = true
            return
        }
        rest += bytes
    }

    /// - Returns: `nil` for a blank line.
    private mutating func row() -> ImportRow? {
        line += 1
        defer { (rest, isTooLong) = ([], false) }
        if line == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        func refused(_ reason: String) -> ImportRow { ImportRow(line: line, content: .refused(reason)) }
        guard !isTooLong else { return refused("it is longer than \(CSVReader.greatestLength) bytes") }
        guard rest.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        do throws(JSONError) {
            let value = try JSONValue.parse(rest)
            guard case .object(let record) = value else { return refused("it is no JSON object") }
            let hasTime = record["occurredAt"].map { $0 != .null } ?? false
            return ImportRow(line: line, content: .record(value.serialized(), hasTime: hasTime))
        } catch { return refused("\(error)") }
    }
}
