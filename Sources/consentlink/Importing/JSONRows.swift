import JSON

/// Rows from a file of JSON lines.
struct JSONRows {
    /// A thousand rows are sent in one array, which must be within the service's limits. A record has about twenty
    /// values in three levels.
    private static let limits = JSONLimits(depth: JSONLimits().depth - 1, values: JSONLimits().values / 1024)

    private var line = 0
    /// The bytes of a line whose end was not read yet.
    private var bytes = RowBytes()

    mutating func read(_ piece: [UInt8]) -> [ImportRow] {
        var rows: [ImportRow] = []
        var start = piece.startIndex
        while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
            bytes.append(piece[start..<end])
            if let row = row() { rows.append(row) }
            start = end + 1
        }
        bytes.append(piece[start...])
        return rows
    }

    mutating func last() -> [ImportRow] { bytes.isEmpty ? [] : row().map { [$0] } ?? [] }

    /// - Returns: `nil` for a blank line.
    private mutating func row() -> ImportRow? {
        line += 1
        defer { bytes = RowBytes() }
        guard let content = content() else { return nil }
        return ImportRow(lines: line...line, content: content)
    }

    private func content() -> ImportRow.Content? {
        guard var text = bytes.whole else {
            return .refused(.init("it is longer than \(CSVReader.maximumLength) bytes", of: bytes))
        }
        if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        guard text.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) else { return nil }
        do throws(JSONError) {
            let value = try JSONValue.parse(text, limits: Self.limits)
            guard case .object(let record) = value else { return .refused(.init("it is not a JSON object", of: bytes)) }
            let hasTime = record["occurredAt"].map { $0 != .null } ?? false
            return .record(value.serialized(), hasTime: hasTime)
        } catch {
            return .refused(.init(Self.reason(error), of: bytes, earlier: "\(error)"))
        }
    }

    /// An unknown name may be a recipient, so it is not repeated.
    private static func reason(_ error: JSONError) -> String {
        guard case .duplicateMember(let pointer) = error, !RecordMember.isKnown(pointer.description) else {
            return "\(error)"
        }
        return "\(RecordMember.nearest(to: pointer.description) ?? "it") has a member twice"
    }
}
