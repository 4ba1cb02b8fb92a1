import ArgumentParser
import JSON

/// Maps the columns of a table to the members of a consent record.
struct ConsentTable {
    /// In the order of the API's documentation.
    static let columns = [
        "recipient", "purpose", "state", "occurredAt", "validUntil", "evidence.method", "evidence.source",
        "evidence.actor", "evidence.language", "evidence.notice.id", "evidence.notice.version",
        "evidence.notice.language", "evidence.notice.sha256",
    ]
    private static let required = ["recipient", "state"]

    private let headings: [String]

    /// - Parameter record: the first record of the file.
    init(_ record: CSVReader.Record) throws(CommandFailure) {
        if record.fields[0].starts(with: [0xFF, 0xFE]) || record.fields[0].starts(with: [0xFE, 0xFF]) {
            throw Self.failure("it is UTF-16; save it as UTF-8")
        }
        if record.fields[0].first == UInt8(ascii: "{") {
            throw Self.failure("it begins as JSON does; if each line of it is an object, add --json-lines")
        }
        if let fault = record.fault { throw Self.failure("line 1: \(fault)") }
        headings = record.fields.map { field in
            let text = String(decoding: field, as: UTF8.self)
            let name = text.filter { $0 != " " }
            return Self.columns.first { $0.lowercased() == name.lowercased() } ?? text
        }
        let known = "the columns are \(Self.columns.joined(separator: ", "))"
        // Without a header, the first record contains a person's data.
        if let unknown = headings.firstIndex(where: { !Self.columns.contains($0) }) {
            throw Self.failure("line 1 must name the columns, and field \(unknown + 1) of it names none; \(known)")
        }
        if Set(headings).count < headings.count { throw Self.failure("it has a column twice") }
        if let missing = Self.required.first(where: { !headings.contains($0) }) {
            throw Self.failure("it has no column \(missing); \(known)")
        }
    }

    /// - Returns: `nil` for a blank line.
    func row(_ record: CSVReader.Record) -> ImportRow? {
        guard !record.isBlank else { return nil }
        func refused(_ reason: String) -> ImportRow {
            ImportRow(lines: record.lines, content: .refused(.init(reason, of: record.bytes)))
        }
        if let fault = record.fault { return refused(fault) }
        guard record.fields.count == headings.count else {
            return refused(
                "it has \(record.fields.count.counted("field")), and the header has \(headings.count.grouped)")
        }
        var cells: [String: String] = [:]
        for (heading, field) in zip(headings, record.fields) {
            guard let text = String(validating: field, as: UTF8.self) else { return refused("\(heading) is not UTF-8") }
            // It would be another recipient, whose refusal would not count for the right one.
            if heading == "recipient", SurroundingWhitespace.surrounds(field) {
                return refused(
                    "recipient begins or ends with white space or an invisible character, which would be part of it")
            }
            if !text.isEmpty || Self.required.contains(heading) { cells[heading] = text }
        }
        return ImportRow(
            lines: record.lines, content: .record(Self.json(cells), hasTime: cells["occurredAt"] != nil))
    }

    /// A consent record as the API accepts it. An empty cell is a missing member.
    private static func json(_ cells: [String: String]) -> [UInt8] {
        var writer = JSONWriter(capacity: 256)
        func members(of writer: inout JSONWriter, below prefix: String, _ names: [String]) {
            for name in names {
                if let text = cells[prefix + name] { writer.member(name, text) }
            }
        }
        writer.object { writer in
            members(of: &writer, below: "", ["recipient", "purpose", "state", "occurredAt", "validUntil"])
            guard cells.keys.contains(where: { $0.hasPrefix("evidence.") }) else { return }
            writer.key("evidence")
            writer.object { writer in
                members(of: &writer, below: "evidence.", ["method", "source", "actor", "language"])
                guard cells.keys.contains(where: { $0.hasPrefix("evidence.notice.") }) else { return }
                writer.key("notice")
                writer.object { writer in
                    members(of: &writer, below: "evidence.notice.", ["id", "version", "language", "sha256"])
                }
            }
        }
        return writer.bytes
    }

    /// The failure for a file without a line.
    static var empty: CommandFailure { failure("it is empty; its first line must name the columns") }

    private static func failure(_ text: String) -> CommandFailure {
        CommandFailure("consentlink: not a table of consent records: \(text)", exitCode: ExitStatus.usage)
    }
}
