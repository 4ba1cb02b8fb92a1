import Identifiers
import JSON

extension ImportJournal.Progress {
    init?(_ value: JSONValue) {
        guard case .string(let run) = value["run"], let recorded = value["recorded"]?.count,
            let refused = value["refused"]?.count, let errorBytes = value["errorBytes"]?.count
        else { return nil }
        self.init(run: run, recorded: recorded, refused: refused, errorBytes: errorBytes)
        if case .string(let place) = value["errorPlace"] { errorPlace = place }
        if case .string(let id) = value["last"] { last = id }
        switch value["version"] {
        case .integer(1): guard readVersion1(value) else { return nil }
        case .integer(2):
            guard read(value, .reason) else { return nil }
            (reasons, position.digest) = (position.digest, RowDigest())
        case .integer(3): guard read(value, .bytes), readOrganization(value) else { return nil }
        default: return nil
        }
        guard hasFittingCounts else { return nil }
    }

    /// Each row that is done was recorded or refused.
    private var hasFittingCounts: Bool {
        let (sum, isTooGreat) = recorded.addingReportingOverflow(refused)
        return !isTooGreat && sum == rows
    }

    private mutating func readOrganization(_ value: JSONValue) -> Bool {
        switch value["organization"] {
        case .string(let organization): self.organization = organization
        case .null: break
        default: return false
        }
        return true
    }

    private mutating func read(_ value: JSONValue, _ rule: RowDigest.Rule) -> Bool {
        guard let position = ImportJournal.Position(value, rule), let underWay = value["underWay"],
            let whole = value["whole"]
        else { return false }
        self.position = position
        if underWay != .null {
            self.underWay = ImportJournal.UnderWay(underWay, rule)
            guard let end = self.underWay?.end, end.rows > position.rows else { return false }
        }
        if whole != .null {
            guard let rows = whole["rows"]?.count, let refused = whole["refused"]?.count, rows <= position.rows,
                refused <= self.refused
            else { return false }
            self.whole = ImportJournal.Whole(rows: rows, refused: refused)
        }
        return true
    }

    private mutating func readVersion1(_ value: JSONValue) -> Bool {
        guard let rows = value["rows"]?.count, case .string(let digest) = value["digest"],
            let sentAt = value["sentAt"], case .bool(let isDone) = value["done"]
        else { return false }
        position.rows = rows
        // The last completed batch also ended after these rows, whether or not the file ended there.
        batches = BatchDigest(digest, ends: (value["ends"]?.elements.compactMap(\.count) ?? []) + [rows])
        if case .string(let text) = sentAt {
            guard let instant = try? Timestamp(rfc3339: text) else { return false }
            underWay = ImportJournal.UnderWay(sentAt: instant)
        }
        if isDone { self = self.done }
        return true
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("version", 3)
            writer.member("run", run)
            writer.member("organization", organization)
            position.write(to: &writer)
            writer.member("recorded", recorded)
            if let last { writer.member("last", last) }
            writer.member("refused", refused)
            writer.member("errorBytes", errorBytes)
            writer.member("errorPlace", errorPlace)
            writer.key("underWay")
            if let underWay { underWay.write(to: &writer) } else { writer.null() }
            writer.key("whole")
            guard let whole else { return writer.null() }
            writer.object { writer in
                writer.member("rows", whole.rows)
                writer.member("refused", whole.refused)
            }
        }
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension ImportJournal.Position {
    fileprivate init?(_ value: JSONValue, _ rule: RowDigest.Rule) {
        guard let rows = value["rows"]?.count, case .string(let text) = value["digest"],
            let digest = RowDigest(text, rule)
        else { return nil }
        self.init(rows: rows, digest: digest)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("rows", rows)
        writer.member("digest", digest.text)
    }
}

extension ImportJournal.UnderWay {
    fileprivate init?(_ value: JSONValue, _ rule: RowDigest.Rule) {
        guard case .string(let text) = value["sentAt"], let sentAt = try? Timestamp(rfc3339: text),
            let end = ImportJournal.Position(value, rule), case .array(let elements) = value["refused"]
        else { return nil }
        let refused = elements.compactMap(ImportJournal.Refusal.init)
        guard refused.count == elements.count else { return nil }
        self.init(sentAt: sentAt, end: end, refused: refused)
        if case .string(let mark) = value["sentBy"] { sentBy = mark }
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("sentAt", sentAt.rfc3339)
            if let sentBy { writer.member("sentBy", sentBy) }
            end?.write(to: &writer)
            writer.key("refused")
            writer.array { writer in
                for refusal in refused {
                    writer.object { writer in
                        writer.member("line", refusal.line)
                        writer.member("reason", refusal.reason)
                    }
                }
            }
        }
    }
}

extension ImportJournal.Refusal {
    fileprivate init?(_ value: JSONValue) {
        guard let line = value["line"]?.count, case .string(let reason) = value["reason"] else { return nil }
        self.init(line: line, reason: reason)
    }
}

/// No file has so many rows or bytes, and adding to it does not overflow.
private let maximumCount: Int64 = 1 << 53

extension JSONValue {
    fileprivate var count: Int? {
        guard case .number(let number) = self, let count = number.int64, 0...maximumCount ~= count else { return nil }
        return Int(count)
    }
}
